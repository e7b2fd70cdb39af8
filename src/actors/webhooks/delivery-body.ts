import type { DeliveredEvent } from '../../domain/webhooks/delivery-types.ts'
import { personalData } from '../exchanges/publication.ts'
import type { Vault } from '../vault-port.ts'

/**
 * What the tenant's endpoint gets, made anew for each attempt: personal fields are read with the key of their record,
 * so those of an erased record are null, also in what was not delivered before the erasure.
 */
export const deliveryBody = async (
  vault: Pick<Vault, 'open'>,
  tenant: string,
  event: DeliveredEvent,
): Promise<string> => {
  const { id, type, createdAtMs, recordId, sealed, data } = event
  const personal = sealed === null ? {} : personalData(recordId, sealed, await vault.open(recordId))
  return JSON.stringify({
    id,
    type,
    createdAt: new Date(createdAtMs).toISOString(),
    tenantId: tenant,
    data: { ...data, ...personal },
  })
}
