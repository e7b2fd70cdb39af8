import type { DeliveredEvent } from './state.ts'
import type { KindPorts } from '../kind-ports.ts'
import type { Vault } from '../../ports/vault.ts'

export type BodyPorts = Pick<KindPorts, 'personalData'> & { readonly vault: Pick<Vault, 'open'> }

/**
 * What the tenant's endpoint gets, made anew for each attempt: personal fields are read with the key of their record,
 * so those of an erased record are null, also in what was not delivered before the erasure.
 */
export const deliveryBody = async (
  { vault, personalData }: BodyPorts,
  tenant: string,
  event: DeliveredEvent,
): Promise<string> => {
  const { id, type, createdAtMs, recordId, sealed } = event
  const personal = sealed === null ? {} : personalData(recordId, sealed, await vault.open(recordId))
  return JSON.stringify({
    id,
    type,
    createdAt: new Date(createdAtMs).toISOString(),
    tenantId: tenant,
    data: { ...whole(event), ...personal },
  })
}

/** A delivery of an earlier release lacks what its event type has today; its event's id ends with the sequence. */
const whole = ({ id, type, data }: DeliveredEvent): Readonly<Record<string, unknown>> => {
  if ('sequence' in data) return data
  const later = type === 'credential.state_changed' ? { errorMessage: null, biometric: null } : {}
  return { ...later, ...data, sequence: Number(/_(\d+)$/.exec(id)?.[1] ?? 1) }
}
