import { NOTHING_HAPPENS, impossibleEvent, refuse, type Decider } from '../../domain/decider.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

/**
 * What a line of the audit log says when it is opened: what a person or program sets out to do. It is opened before the
 * action and closed after it, so that nothing is done without a line; one that stays open tells of a crash in between.
 */
export type AuditFacts = {
  /** Whom it concerns; null: the operators of the service alone. */
  readonly organisation: string | null
  /** `acting_operator`: for the organisation, as one of its members could. */
  readonly initiator: 'member' | 'operator' | 'acting_operator' | 'command_line' | 'nobody'
  /** The account, where there is one. */
  readonly initiatorId: string | null
  readonly action: string
  readonly targetId: string | null
  /** Ciphertext under the organisation's key. */
  readonly sealedReason?: string
}
const ID = /^(?:[a-z]{2,12}_)?[0-9a-z]{8,80}$/

/** What a caller gave for an id may be anything, a secret in the wrong place too: only what looks like an id is kept. */
export const auditedId = (text: string | null): string | null =>
  text !== null && ID.test(text) ? text : null

export type AuditOutcome = 'done' | 'refused' | 'failed'
export type AuditRecord = AuditFacts & {
  readonly status: 'open' | AuditOutcome
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/** How an action ended, and what came to be by it where that was not known before. */
export type AuditEnd = { readonly outcome: AuditOutcome; readonly targetId: string | null }

type Opened = AuditFacts & { readonly atMs: number; readonly outcome: 'open' | AuditOutcome }
type Closed = AuditEnd & { readonly atMs: number }

export type AuditCommand =
  | ({ readonly type: 'OpenAuditEntry' } & Opened)
  | ({ readonly type: 'CloseAuditEntry' } & Closed)

export type AuditEvent =
  | ({ readonly type: 'AuditEntryOpened' } & Opened)
  | ({ readonly type: 'AuditEntryClosed' } & Closed)

export type AuditTypes = RecordTypes<AuditRecord, AuditCommand, AuditEvent>

export const auditEntry = referencesTo<AuditTypes>('aud')

export const auditDecider: Decider<AuditTypes> = recordDecider({
  unknown: refuse('not_found', 'There is no such entry of the audit log.'),
  first: ['OpenAuditEntry', 'AuditEntryOpened'],
  create: (command) => ({ ...command, type: 'AuditEntryOpened' }),
  created: ({ outcome: status, ...facts }, atMs) => ({
    ...facts,
    status,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }),
  decide: (entry, { atMs, outcome, targetId }) =>
    entry.status === 'open'
      ? [{ type: 'AuditEntryClosed', atMs, outcome, targetId: entry.targetId ?? targetId }]
      : NOTHING_HAPPENS,
  evolve: (entry, event) => {
    if (entry.status !== 'open') throw impossibleEvent(event, entry.status)
    return { ...entry, status: event.outcome, targetId: event.targetId, updatedAtMs: event.atMs }
  },
})
