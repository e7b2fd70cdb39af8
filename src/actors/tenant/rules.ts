import {
  atMostOne,
  impossibleEvent,
  isRefused,
  refuse,
  type Decider,
  type Refused,
} from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import type { EndorsementMode } from '../../domain/publishing.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'
import type { Rested } from '../../domain/rest.ts'

/**
 *   none ──create──▶ active ◀──resume / suspend──▶ suspended
 *   active, suspended ──order deletion──▶ deletion_ordered ──seven days──▶ deleting ──all is gone──▶ deleted
 *                     ◀──────restore─────
 *
 * Beside it runs the tenant's name on the ledger: owed until it is registered or refused.
 */
export type TenantRecord = {
  readonly status: 'active' | 'suspended' | 'deletion_ordered' | 'deleting' | 'deleted'
  /** Null once it is deleted. */
  readonly name: string | null
  readonly did: string
  readonly verkey: string
  /** The seed of the key that signs for the tenant on the ledger, base64url. */
  readonly seed: string | null
  readonly registered: boolean
  /** Why the ledger would not have the identity; nothing is tried any more then. */
  readonly lastError: string | null
  /** Who decides that the operator's endorser signs what it publishes; left out: the service by itself. */
  readonly endorsement?: EndorsementMode
  /** How long personal data of finished exchanges is kept; 0: until it is erased. */
  readonly retentionDays: number
  /** Null until it is changed for the first time. */
  readonly retentionChangedAtMs: number | null
  /** Null unless its deletion was ordered. */
  readonly deletion: { readonly orderedAtMs: number; readonly from: 'active' | 'suspended' } | null
  /** When its work rested because it was to be deleted, and was restored: the latest of these times. */
  readonly rests: readonly Rested[]
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** Null or absent: no rate beside those of its keys, and the service's own for new ones. */
  readonly rates?: TenantRates | null
}

/** Requests in any minute; null: not set. */
export type TenantRates = {
  /** Of all its API keys together. */
  readonly ratePerMinute: number | null
  /** Of each API key that is made from then on, unless it is given one of its own. */
  readonly keyRatePerMinute: number | null
}

type Timed = { readonly atMs: number }
type Created = Timed & Pick<TenantRecord, 'name' | 'did' | 'verkey' | 'seed'>

export type TenantCommand =
  | ({ readonly type: 'CreateTenant' } & Created)
  | ({ readonly type: 'RecordIdentityRegistered' | 'SuspendTenant' | 'ResumeTenant' } & Timed)
  | ({ readonly type: 'OrderDeletion' | 'RestoreTenant' | 'BeginDeletion' | 'RecordDeleted' } & Timed)
  | ({ readonly type: 'RecordIdentityRefused'; readonly reason: string } & Timed)
  | ({ readonly type: 'SetRetention'; readonly retentionDays: number } & Timed)
  | ({ readonly type: 'SetEndorsementMode'; readonly endorsement: EndorsementMode } & Timed)
  /** What is left out stays. */
  | ({ readonly type: 'SetTenantRates' } & Partial<TenantRates> & Timed)

export type TenantEvent =
  | ({ readonly type: 'TenantCreated' } & Created)
  | ({ readonly type: 'IdentityRegistered' | 'TenantSuspended' | 'TenantResumed' } & Timed)
  | ({ readonly type: 'DeletionOrdered' | 'TenantRestored' | 'DeletionBegun' | 'TenantDeleted' } & Timed)
  | ({ readonly type: 'IdentityRefused'; readonly reason: string } & Timed)
  | ({ readonly type: 'RetentionSet'; readonly retentionDays: number } & Timed)
  | ({ readonly type: 'EndorsementModeSet'; readonly endorsement: EndorsementMode } & Timed)
  | ({ readonly type: 'TenantRatesSet' } & TenantRates & Timed)

export type TenantEffect =
  | {
      readonly id: string
      readonly kind: 'register-identity'
      readonly did: string
      readonly verkey: string
    }
  | { readonly id: string; readonly kind: 'delete-records' }

export type TenantTypes = RecordTypes<TenantRecord, TenantCommand, TenantEvent, TenantEffect>

export const tenant = referencesTo<TenantTypes>('ten')
export const noSuchTenant = refuse('not_found', 'There is no organisation with this id.')

/** How long its deletion can be called off. */
const DELETION_DELAY_MS = limits.organisationDeletionDays * 86_400_000
const DELETION_TIMER = 'deletion'
const RESTS_KEPT = 8

const beingDeleted = refuse(
  'organisation_being_deleted',
  'Its deletion has begun, so it can be neither restored nor changed any more.',
)
const toBeDeleted = refuse(
  'organisation_being_deleted',
  'The organisation is to be deleted: restore it first.',
)

export const endorsementModeOf = ({ endorsement = 'automatic' }: TenantRecord): EndorsementMode => endorsement

/** When its deletion begins; null where none is ordered, or it has begun. */
export const deletesAtMs = ({ status, deletion }: TenantRecord): number | null =>
  status === 'deletion_ordered' && deletion !== null ? deletion.orderedAtMs + DELETION_DELAY_MS : null

const NO_RATES: TenantRates = { ratePerMinute: null, keyRatePerMinute: null }

export const ratesOf = ({ rates }: TenantRecord): TenantRates => rates ?? NO_RATES

const isIdentityOpen = ({ status, registered, lastError }: TenantRecord): boolean =>
  !registered && lastError === null && (status === 'active' || status === 'suspended')

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
    deletion: null,
    rests: [],
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }),
  decide: (record, command) => {
    const event = decided(record, command)
    return isRefused(event) ? event : atMostOne(event)
  },
  evolve: (record, event) => {
    const at = { ...record, updatedAtMs: event.atMs }
    switch (event.type) {
      case 'IdentityRegistered':
        return { ...at, registered: true }
      case 'IdentityRefused':
        return { ...at, lastError: event.reason }
      case 'RetentionSet':
        return { ...at, retentionDays: event.retentionDays, retentionChangedAtMs: event.atMs }
      case 'EndorsementModeSet':
        return { ...at, endorsement: event.endorsement }
      case 'TenantRatesSet': {
        const { ratePerMinute, keyRatePerMinute } = event
        return { ...at, rates: { ratePerMinute, keyRatePerMinute } }
      }
      case 'TenantSuspended':
        return record.status === 'deletion_ordered' && record.deletion !== null
          ? { ...at, deletion: { ...record.deletion, from: 'suspended' } }
          : { ...at, status: 'suspended' }
      case 'TenantResumed':
        return { ...at, status: 'active' }
      case 'DeletionOrdered':
        if (record.status !== 'active' && record.status !== 'suspended')
          throw impossibleEvent(event, record.status)
        return {
          ...at,
          status: 'deletion_ordered',
          deletion: { orderedAtMs: event.atMs, from: record.status },
        }
      case 'TenantRestored': {
        if (record.deletion === null) throw impossibleEvent(event, record.status)
        const { orderedAtMs: fromMs, from } = record.deletion
        const rests = [...record.rests, { fromMs, untilMs: event.atMs }].slice(-RESTS_KEPT)
        return { ...at, status: from, deletion: null, rests }
      }
      case 'DeletionBegun':
        return { ...at, status: 'deleting' }
      case 'TenantDeleted':
        return { ...at, status: 'deleted', name: null, seed: null, lastError: null, rests: [] }
    }
  },
  owed: (record) => {
    if (record.status === 'deleting') return [{ id: 'deletion', kind: 'delete-records' }]
    return isIdentityOpen(record)
      ? [{ id: 'identity', kind: 'register-identity', did: record.did, verkey: record.verkey }]
      : []
  },
  timers: (record) => {
    const dueMs = deletesAtMs(record)
    return dueMs === null ? [] : [{ id: DELETION_TIMER, dueMs }]
  },
})

type Change = Exclude<TenantCommand, { type: 'CreateTenant' }>

/** What changes nothing is no event. */
function decided(record: TenantRecord, command: Change): TenantEvent | Refused | null {
  const { atMs } = command
  const { status } = record
  switch (command.type) {
    case 'OrderDeletion':
      return status === 'active' || status === 'suspended' ? { type: 'DeletionOrdered', atMs } : null
    case 'RestoreTenant':
      if (status === 'deleting' || status === 'deleted') return beingDeleted
      return status === 'deletion_ordered' ? { type: 'TenantRestored', atMs } : null
    case 'BeginDeletion': {
      const dueMs = deletesAtMs(record)
      return dueMs !== null && dueMs <= atMs ? { type: 'DeletionBegun', atMs } : null
    }
    case 'RecordDeleted':
      return status === 'deleting' ? { type: 'TenantDeleted', atMs } : null
    case 'RecordIdentityRegistered':
      return isIdentityOpen(record) ? { type: 'IdentityRegistered', atMs } : null
    case 'RecordIdentityRefused':
      return isIdentityOpen(record) ? { type: 'IdentityRefused', atMs, reason: command.reason } : null
    case 'SetRetention': {
      if (status === 'deleting' || status === 'deleted') return beingDeleted
      const { retentionDays } = command
      return record.retentionDays === retentionDays ? null : { type: 'RetentionSet', atMs, retentionDays }
    }
    case 'SetEndorsementMode': {
      if (status === 'deleting' || status === 'deleted') return beingDeleted
      const { endorsement } = command
      return endorsementModeOf(record) === endorsement
        ? null
        : { type: 'EndorsementModeSet', atMs, endorsement }
    }
    case 'SetTenantRates': {
      if (status === 'deleting' || status === 'deleted') return beingDeleted
      const now = ratesOf(record)
      const { ratePerMinute, keyRatePerMinute } = { ...now, ...command }
      const isSame = now.ratePerMinute === ratePerMinute && now.keyRatePerMinute === keyRatePerMinute
      return isSame ? null : { type: 'TenantRatesSet', atMs, ratePerMinute, keyRatePerMinute }
    }
    case 'SuspendTenant':
      // Until it is restored it is suspended anyhow, and from then on because of this.
      return status === 'active' || (status === 'deletion_ordered' && record.deletion?.from === 'active')
        ? { type: 'TenantSuspended', atMs }
        : null
    case 'ResumeTenant':
      if (status === 'deletion_ordered') return toBeDeleted
      if (status === 'deleting' || status === 'deleted') return beingDeleted
      return status === 'suspended' ? { type: 'TenantResumed', atMs } : null
  }
}
