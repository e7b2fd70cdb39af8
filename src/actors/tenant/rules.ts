import { atMostOne, refuse, type Decider } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
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

export type TenantTypes = RecordTypes<TenantRecord, TenantCommand, TenantEvent, TenantEffect>

export const tenant = referencesTo<TenantTypes>('ten')
export const noSuchTenant = refuse('not_found', 'There is no organisation with this id.')

const isIdentityOpen = ({ registered, lastError }: TenantRecord): boolean => !registered && lastError === null

export const tenantDecider: Decider<TenantTypes> = recordDecider({
  unknown: noSuchTenant,
  first: ['CreateTenant', 'TenantCreated'],
  create: (command) => ({ ...command, type: 'TenantCreated' }),
  created: (facts, atMs) => ({
    ...facts,
    status: 'active',
    registered: false,
    lastError: null,
    retentionDays: limits.retentionDaysDefault,
    retentionChangedAtMs: null,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }),
  decide: (record, command) => atMostOne(decided(record, command)),
  evolve: (record, event) => {
    const at = { ...record, updatedAtMs: event.atMs }
    switch (event.type) {
      case 'IdentityRegistered':
        return { ...at, registered: true }
      case 'IdentityRefused':
        return { ...at, lastError: event.reason }
      case 'RetentionSet':
        return { ...at, retentionDays: event.retentionDays, retentionChangedAtMs: event.atMs }
      case 'TenantSuspended':
        return { ...at, status: 'suspended' }
      case 'TenantResumed':
        return { ...at, status: 'active' }
    }
  },
  owed: (record) =>
    isIdentityOpen(record)
      ? [{ id: 'identity', kind: 'register-identity', did: record.did, verkey: record.verkey }]
      : [],
})

type Change = Exclude<TenantCommand, { type: 'CreateTenant' }>

/** What changes nothing is no event. */
function decided(record: TenantRecord, command: Change): TenantEvent | null {
  const { atMs } = command
  switch (command.type) {
    case 'RecordIdentityRegistered':
      return isIdentityOpen(record) ? { type: 'IdentityRegistered', atMs } : null
    case 'RecordIdentityRefused':
      return isIdentityOpen(record) ? { type: 'IdentityRefused', atMs, reason: command.reason } : null
    case 'SetRetention': {
      const { retentionDays } = command
      return record.retentionDays === retentionDays ? null : { type: 'RetentionSet', atMs, retentionDays }
    }
    case 'SuspendTenant':
      return record.status === 'suspended' ? null : { type: 'TenantSuspended', atMs }
    case 'ResumeTenant':
      return record.status === 'active' ? null : { type: 'TenantResumed', atMs }
  }
}
