import { type Decider, NOTHING_HAPPENS } from '../../domain/decider.ts'
import { referencesTo } from '../../domain/references.ts'
import { type Refused, refuse } from '../../domain/refused.ts'

/**
 * One line of the audit log: what a person or program set out to do, and how it ended. It is opened before the action and closed
 * after it, so that nothing is done without a line; one that stays open tells of a crash in between.
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
export type AuditState = { readonly status: 'none' } | AuditRecord

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

export type AuditTypes = {
  readonly state: AuditState
  readonly command: AuditCommand
  readonly event: AuditEvent
  readonly reply: AuditRecord
  readonly views: { readonly record: AuditRecord }
  readonly owed: never
}

export const auditEntry = referencesTo<AuditTypes>('aud')

const noSuchEntry = refuse('not_found', 'There is no such entry of the audit log.')

export const auditDecider: Decider<AuditTypes> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  reply: (state) => state as AuditRecord,
  views: { record: (state) => (state.status === 'none' ? noSuchEntry : state) },
}

function decide(state: AuditState, command: AuditCommand): readonly AuditEvent[] | Refused {
  if (command.type === 'OpenAuditEntry') {
    if (state.status !== 'none') return NOTHING_HAPPENS
    const { type: _, ...opened } = command
    return [{ type: 'AuditEntryOpened', ...opened }]
  }
  if (state.status === 'none') return noSuchEntry
  if (state.status !== 'open') return NOTHING_HAPPENS
  const { atMs, outcome, targetId } = command
  return [{ type: 'AuditEntryClosed', atMs, outcome, targetId: state.targetId ?? targetId }]
}

function evolve(state: AuditState, event: AuditEvent): AuditState {
  const { atMs } = event
  if (event.type === 'AuditEntryOpened') {
    if (state.status !== 'none') throw new Error('an entry of the audit log is opened once')
    const { type: _, atMs: __, outcome: status, ...facts } = event
    return { ...facts, status, createdAtMs: atMs, updatedAtMs: atMs }
  }
  if (state.status !== 'open') throw new Error('an entry of the audit log never changes once it is closed')
  return { ...state, status: event.outcome, targetId: event.targetId, updatedAtMs: atMs }
}
