import type { Change } from '../domain/exchange.ts'
import { kindOf } from '../domain/shards.ts'
import { kinds } from './index.ts'
import { KindTables } from './tables.ts'
import type { FieldSeal } from '../host/definition.ts'
import type { PublicEvent, Publish } from '../ports/publication.ts'
import { connectionEvents } from './connection/stored.ts'
import { CONNECTION } from './connection/effects.ts'
import { credentialEvents } from './credential/stored.ts'
import { CREDENTIAL } from './credential/effects.ts'
import { proofEvents } from './proof/stored.ts'
import { PROOF } from './proof/effects.ts'

/** Publishing needs no personal field, and reads none: they come out as null. */
const shut: FieldSeal = {
  seal: () => {
    throw new Error('nothing is sealed while events are published')
  },
  open: () => null,
}

type Moved = {
  readonly atMs: number
  readonly tenant: string
  readonly externalId: string | null
  readonly change: Change<string>
}

const publishConnection: Publish = (actor, stored) => {
  const event = connectionEvents.decode(stored, shut)
  return publicEvent('connection', actor, event, { invitationId: event.invitationId })
}

const publishCredential: Publish = (actor, stored) => {
  const event = credentialEvents.decode(stored, shut)
  if (!('change' in event)) return null
  const definition =
    event.type === 'CredentialOffered' ? event.definition.catalogueId : event.credentialDefinitionId
  const told = publicEvent('credential', actor, event, {
    connectionId: event.connectionId,
    credentialDefinitionId: definition,
    errorMessage: null,
    biometric: null,
  })
  return 'errorMessage' in event ? { ...told, sealed: stored } : told
}

/** The stored text goes along as ciphertext when it is the verification's: its disclosed values are opened last of all. */
const publishProof: Publish = (actor, stored) => {
  const event = proofEvents.decode(stored, shut)
  if (!('change' in event)) return null
  const isVerified = event.type === 'ProofVerified'
  const told = publicEvent('proof', actor, event, {
    connectionId: event.connectionId,
    proofTemplateId: event.proofTemplateId,
    verified: isVerified ? event.verified : null,
    disclosed: null,
  })
  return isVerified ? { ...told, sealed: stored } : told
}

/** The personal fields of an event's data, null when the record is erased. */
export const personalData = (recordId: string, sealed: string, seal: FieldSeal): Record<string, unknown> => {
  const kind = kindOf(recordId)
  if (kind === PROOF) {
    const event = proofEvents.decode(sealed, seal)
    return event.type === 'ProofVerified' ? { disclosed: event.disclosed } : {}
  }
  if (kind !== CREDENTIAL) throw new Error(`${recordId} has no personal fields in its events`)
  const event = credentialEvents.decode(sealed, seal)
  return 'errorMessage' in event ? { errorMessage: event.errorMessage } : {}
}

const byKind: Readonly<Record<string, Publish>> = {
  [CONNECTION]: publishConnection,
  [CREDENTIAL]: publishCredential,
  [PROOF]: publishProof,
}

/** Every kind whose events a tenant can hear of; the others tell nothing. */
export const publishExchange: Publish = (actor, stored) =>
  byKind[kindOf(actor)]?.(actor, stored) ?? new KindTables(kinds).publish(actor, stored)

const publicEvent = (
  recordType: 'connection' | 'credential' | 'proof',
  actor: string,
  event: Moved,
  more: Readonly<Record<string, unknown>>,
): PublicEvent => {
  const { atMs, tenant, externalId, change } = event
  const { state, previousState, sequence } = change
  const updatedAt = new Date(atMs).toISOString()
  return {
    id: `evt_${actor}_${sequence}`,
    type: `${recordType}.state_changed`,
    tenant,
    createdAtMs: atMs,
    recordType,
    recordId: actor,
    data: { id: actor, state, previousState, externalId, ...more, updatedAt, sequence },
    sealed: null,
  }
}
