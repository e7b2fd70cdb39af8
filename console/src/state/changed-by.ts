import type { OperationName } from '../api/address.ts'
import type { EventType } from '../api/generated/operations.ts'
import type { LiveEvent } from './live-events.ts'

const CONNECTION: readonly EventType[] = ['connection.state_changed', 'record.erased']
const CREDENTIAL: readonly EventType[] = ['credential.state_changed', 'record.erased']
const PROOF: readonly EventType[] = ['proof.state_changed', 'record.erased']
const EXCHANGES: readonly EventType[] = [...CONNECTION, ...CREDENTIAL, ...PROOF]

/** What the events change that organisations hear of; whatever is not named here is changed by none of them. */
const TYPES: Readonly<Partial<Record<OperationName, readonly EventType[] | 'every'>>> = {
  listConnections: CONNECTION,
  getConnection: CONNECTION,
  getConnectionTimeline: CONNECTION,
  listCredentials: CREDENTIAL,
  getCredential: CREDENTIAL,
  getCredentialTimeline: CREDENTIAL,
  listProofs: PROOF,
  getProof: PROOF,
  getProofTimeline: PROOF,
  listErasures: ['record.erased'],
  // Each event is a delivery.
  listWebhookDeliveries: 'every',
  getOverview: EXCHANGES,
}

/** Whether an event changes what the operation answers; null where none ever does. */
export const changedBy = (name: OperationName, takes: object): ((event: LiveEvent) => boolean) | null => {
  const types = TYPES[name]
  if (types === undefined) return null
  const id = (takes as { readonly path?: { readonly id?: string } }).path?.id
  return (event) =>
    (types === 'every' || types.some((type) => type === event.type)) &&
    (id === undefined || id === event.recordId)
}
