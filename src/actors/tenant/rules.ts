import { type Decider, impossibleEvent, NOTHING_HAPPENS } from '../../domain/decider.ts'
import { type Refused, refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'
import { referencesTo } from '../../domain/references.ts'

/**
 *   none ──create──▶ active ◀──resume / suspend──▶ suspended
 *
 * Beside it runs the tenant's name on the ledger: owed until it is registered or refused.
 */
export type TenantRecord = {
  readonly status: 'active' | 'suspended'
  readonly name: string
  readonly did: string
  readonly verkey: string
  /** Of the key that signs for the tenant on the ledger, base64url. */
  readonly seed: string | null
  readonly registered: boolean
  /** Why the ledger would not have the identity; nothing is tried any more then. */
  readonly lastError: string | null
  /** How long personal data of finished exchanges is kept; 0: until it is erased. */
  readonly retentionDays: number
  /** Null until it is changed for the first time. */
  readonly retentionChangedAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}
export type TenantState = { readonly status: 'none' } | TenantRecord

type At = { readonly atMs: number }
type Created = At & Pick<TenantRecord, 'name' | 'did' | 'verkey' | 'seed'>

export type TenantCommand =
  | ({ readonly type: 'CreateTenant' } & Created)
  | ({ readonly type: 'RecordIdentityRegistered' | 'SuspendTenant' | 'ResumeTenant' } & At)
  | ({ readonly type: 'RecordIdentityRefused'; readonly reason: string } & At)
  | ({ readonly type: 'SetRetention'; readonly retentionDays: number } & At)

export type TenantEvent =
  | ({ readonly type: 'TenantCreated' } & Created)
  | ({ readonly type: 'IdentityRegistered' | 'TenantSuspended' | 'TenantResumed' } & At)
  | ({ readonly type: 'IdentityRefused'; readonly reason: string } & At)
  | ({ readonly type: 'RetentionSet'; readonly retentionDays: number } & At)

export type TenantEffect = {
  readonly id: string
  readonly kind: 'register-identity'
  readonly did: string
  readonly verkey: string
}

export type TenantTypes = {
  readonly state: TenantState
  readonly command: TenantCommand
  readonly event: TenantEvent
  readonly reply: TenantRecord
  readonly views: { readonly record: TenantRecord }
  readonly owed: TenantEffect
}

export const tenants = referencesTo<TenantTypes>('ten')
export const noSuchTenant = refuse('not_found', 'There is no organisation with this id.')

export const tenantDecider: Decider<TenantTypes> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  reply: (state) => state as TenantRecord,
  views: { record: (state) => (state.status === 'none' ? noSuchTenant : state) },
  owed: (state) =>
    state.status === 'none' || state.registered || state.lastError !== null
      ? []
      : [{ id: 'identity', kind: 'register-identity', did: state.did, verkey: state.verkey }],
}

function decide(state: TenantState, command: TenantCommand): readonly TenantEvent[] | Refused {
  if (command.type === 'CreateTenant') {
    return state.status === 'none' ? [{ ...command, type: 'TenantCreated' }] : NOTHING_HAPPENS
  }
  if (state.status === 'none') return noSuchTenant
  const { atMs } = command
  const isOutcomeDue = !state.registered && state.lastError === null
  switch (command.type) {
    case 'RecordIdentityRegistered':
      return isOutcomeDue ? [{ type: 'IdentityRegistered', atMs }] : NOTHING_HAPPENS
    case 'RecordIdentityRefused':
      return isOutcomeDue ? [{ type: 'IdentityRefused', atMs, reason: command.reason }] : NOTHING_HAPPENS
    case 'SetRetention': {
      const { retentionDays } = command
      return state.retentionDays === retentionDays
        ? NOTHING_HAPPENS
        : [{ type: 'RetentionSet', atMs, retentionDays }]
    }
    case 'SuspendTenant':
      return state.status === 'suspended' ? NOTHING_HAPPENS : [{ type: 'TenantSuspended', atMs }]
    case 'ResumeTenant':
      return state.status === 'active' ? NOTHING_HAPPENS : [{ type: 'TenantResumed', atMs }]
  }
}

function evolve(state: TenantState, event: TenantEvent): TenantState {
  const { atMs } = event
  if (event.type === 'TenantCreated') {
    if (state.status !== 'none') throw impossibleEvent(event, state.status)
    const { name, did, verkey, seed } = event
    const times = { createdAtMs: atMs, updatedAtMs: atMs }
    const retention = { retentionDays: limits.retentionDaysDefault, retentionChangedAtMs: null }
    const identity = { did, verkey, seed, registered: false, lastError: null }
    return { status: 'active', name, ...identity, ...retention, ...times }
  }
  if (state.status === 'none') throw impossibleEvent(event, state.status)
  const at = { ...state, updatedAtMs: atMs }
  switch (event.type) {
    case 'IdentityRegistered':
      return { ...at, registered: true }
    case 'IdentityRefused':
      return { ...at, lastError: event.reason }
    case 'RetentionSet':
      return { ...at, retentionDays: event.retentionDays, retentionChangedAtMs: atMs }
    case 'TenantSuspended':
      return { ...at, status: 'suspended' }
    case 'TenantResumed':
      return { ...at, status: 'active' }
  }
}
