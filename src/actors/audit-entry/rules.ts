import type { OldDecider, Decision } from '../../domain/decider.ts'
import { type Refused, refuse } from '../../domain/refused.ts'

/**
 * One line of the audit log: what somebody set out to do, and how it ended. It is opened before the action and closed
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

export type AuditCommand =
  | ({
      readonly type: 'OpenAuditEntry'
      readonly atMs: number
      readonly outcome: 'open' | AuditOutcome
    } & AuditFacts)
  | {
      readonly type: 'CloseAuditEntry'
      readonly atMs: number
      readonly outcome: AuditOutcome
      /** What came to be, where that was not known before. */
      readonly targetId: string | null
    }
  | { readonly type: 'ReadAuditEntry' }

export type AuditEvent =
  | ({
      readonly type: 'AuditEntryOpened'
      readonly atMs: number
      readonly outcome: 'open' | AuditOutcome
    } & AuditFacts)
  | {
      readonly type: 'AuditEntryClosed'
      readonly atMs: number
      readonly outcome: AuditOutcome
      readonly targetId: string | null
    }

export type AuditReply = { readonly entry: AuditRecord } | Refused

type Decided = Decision<AuditEvent, AuditReply>

export const auditDecider: OldDecider<AuditState, AuditCommand, AuditEvent, AuditReply> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state) => (state.status === 'none' ? unknown().reply : { entry: state }),
  evolve,
  owed: () => [],
  timers: () => [],
}

const told = (entry: AuditRecord): Decided => ({ events: [], reply: { entry } })
const unknown = (): Decided => ({
  events: [],
  reply: refuse('not_found', 'There is no such entry of the audit log.'),
})

function decide(state: AuditState, command: AuditCommand): Decided {
  if (command.type === 'OpenAuditEntry') {
    if (state.status !== 'none') return told(state)
    const { type: _, ...opened } = command
    return moved(state, { type: 'AuditEntryOpened', ...opened })
  }
  if (state.status === 'none') return unknown()
  if (command.type === 'ReadAuditEntry' || state.status !== 'open') return told(state)
  const { atMs, outcome } = command
  return moved(state, {
    type: 'AuditEntryClosed',
    atMs,
    outcome,
    targetId: state.targetId ?? command.targetId,
  })
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

const moved = (state: AuditState, event: AuditEvent): Decided => ({
  events: [event],
  reply: { entry: evolve(state, event) as AuditRecord },
})
