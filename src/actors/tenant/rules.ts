import type { OldDecider, Decision } from '../../domain/decider.ts'
import { type Refused, refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'

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
  /** Null: nobody has changed it. */
  readonly retentionChangedAtMs: number | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}
export type TenantState = { readonly status: 'none' } | TenantRecord

type Created = Pick<TenantRecord, 'name' | 'did' | 'verkey' | 'seed'>

export type TenantCommand =
  | ({ readonly type: 'CreateTenant'; readonly atMs: number } & Created)
  | { readonly type: 'RecordIdentityRegistered'; readonly atMs: number }
  | { readonly type: 'RecordIdentityRefused'; readonly atMs: number; readonly reason: string }
  | { readonly type: 'SuspendTenant'; readonly atMs: number }
  | { readonly type: 'ResumeTenant'; readonly atMs: number }
  | { readonly type: 'SetRetention'; readonly atMs: number; readonly retentionDays: number }
  | { readonly type: 'ReadTenant' }

export type TenantEvent =
  | ({ readonly type: 'TenantCreated'; readonly atMs: number } & Created)
  | { readonly type: 'IdentityRegistered'; readonly atMs: number }
  | { readonly type: 'IdentityRefused'; readonly atMs: number; readonly reason: string }
  | { readonly type: 'TenantSuspended'; readonly atMs: number }
  | { readonly type: 'TenantResumed'; readonly atMs: number }
  | { readonly type: 'RetentionSet'; readonly atMs: number; readonly retentionDays: number }

export type TenantReply = { readonly tenant: TenantRecord } | Refused

export type TenantEffect = {
  readonly id: string
  readonly kind: 'register-identity'
  readonly did: string
  readonly verkey: string
}

type Decided = Decision<TenantEvent, TenantReply>

export const tenantDecider: OldDecider<TenantState, TenantCommand, TenantEvent, TenantReply, TenantEffect> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state) => (state.status === 'none' ? unknown().reply : { tenant: state }),
  evolve,
  owed: (state) =>
    state.status === 'none' || state.registered || state.lastError !== null
      ? []
      : [{ id: 'identity', kind: 'register-identity', did: state.did, verkey: state.verkey }],
  timers: () => [],
}

const nothing = (reply: TenantReply): Decided => ({ events: [], reply })
const unknown = (): Decided => nothing(refuse('not_found', 'There is no organisation with this id.'))

function decide(state: TenantState, command: TenantCommand): Decided {
  if (command.type === 'CreateTenant') {
    if (state.status !== 'none') return nothing({ tenant: state })
    const { type: _, ...created } = command
    return moved(state, { type: 'TenantCreated', ...created })
  }
  if (state.status === 'none') return unknown()
  const outcomeDue = !state.registered && state.lastError === null
  switch (command.type) {
    case 'ReadTenant':
      return nothing({ tenant: state })
    case 'RecordIdentityRegistered':
      return outcomeDue ? moved(state, { type: 'IdentityRegistered', atMs: command.atMs }) : unmoved(state)
    case 'RecordIdentityRefused': {
      const { atMs, reason } = command
      return outcomeDue ? moved(state, { type: 'IdentityRefused', atMs, reason }) : unmoved(state)
    }
    case 'SetRetention': {
      const { atMs, retentionDays } = command
      if (state.retentionDays === retentionDays) return unmoved(state)
      return moved(state, { type: 'RetentionSet', atMs, retentionDays })
    }
    case 'SuspendTenant':
      if (state.status === 'suspended') return unmoved(state)
      return moved(state, { type: 'TenantSuspended', atMs: command.atMs })
    case 'ResumeTenant':
      if (state.status === 'active') return unmoved(state)
      return moved(state, { type: 'TenantResumed', atMs: command.atMs })
  }
}

function evolve(state: TenantState, event: TenantEvent): TenantState {
  const { atMs } = event
  if (event.type === 'TenantCreated') {
    if (state.status !== 'none') throw impossible(state, event)
    const { name, did, verkey, seed } = event
    const times = { createdAtMs: atMs, updatedAtMs: atMs }
    const retention = { retentionDays: limits.retentionDaysDefault, retentionChangedAtMs: null }
    const identity = { did, verkey, seed, registered: false, lastError: null }
    return { status: 'active', name, ...identity, ...retention, ...times }
  }
  if (state.status === 'none') throw impossible(state, event)
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

const unmoved = (state: TenantRecord): Decided => nothing({ tenant: state })

const moved = (state: TenantState, event: TenantEvent): Decided => ({
  events: [event],
  reply: { tenant: evolve(state, event) as TenantRecord },
})

const impossible = (state: TenantState, event: TenantEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
