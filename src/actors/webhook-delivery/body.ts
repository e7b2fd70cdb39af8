import type { EventToDeliver } from './rules.ts'
import type { KindPorts } from '../kind-ports.ts'
import type { Vault } from '../../ports/vault.ts'

export type BodyPorts = Pick<KindPorts, 'personalData'> & { readonly vault: Pick<Vault, 'openElsewhere'> }

/**
 * What the tenant's endpoint gets, made again for each attempt: personal fields are read with the key of their record,
 * so those of an erased record are null, also in what was not delivered before the erasure.
 */
export const deliveryBody = async (
  { vault, personalData }: BodyPorts,
  tenant: string,
  event: EventToDeliver,
): Promise<string> => {
  const { id, type, createdAtMs, recordId, data, sealed } = event
  const personal = sealed === null ? {} : personalData(recordId, sealed, await vault.openElsewhere(recordId))
  return JSON.stringify({
    id,
    type,
    createdAt: new Date(createdAtMs).toISOString(),
    tenantId: tenant,
    data: { ...data, ...personal },
  })
}
