import { NOTHING_HAPPENS, impossibleEvent, refuse, type Decider } from '../../domain/decider.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

export const ENDORSEMENT_STATUSES = ['waiting', 'approved', 'refused'] as const
export const ENDORSED_TYPES = ['schema', 'credential_definition'] as const

/** What is to be written to the ledger, and which attempt of it. */
export type EndorsedRecord = {
  readonly tenant: string
  readonly recordType: (typeof ENDORSED_TYPES)[number]
  readonly recordId: string
  readonly attempt: number
}

/** waiting ──approve──▶ approved, or ──refuse──▶ refused; what is decided stays, and its record is told of it. */
export type EndorsementRecord = EndorsedRecord & {
  readonly status: (typeof ENDORSEMENT_STATUSES)[number]
  /** Why it was refused. */
  readonly reason: string | null
  /** The account of the operator; `local` for the command line of the machine. */
  readonly decidedBy: string | null
  readonly decidedAtMs: number | null
  readonly isTold: boolean
  readonly createdAtMs: number
}

type Timed = { readonly atMs: number }
type Decided = Timed & { readonly by: string }

export type EndorsementCommand =
  | ({ readonly type: 'OpenEndorsement' } & Timed & EndorsedRecord)
  | ({ readonly type: 'ApproveEndorsement' } & Decided)
  | ({ readonly type: 'RefuseEndorsement'; readonly reason: string } & Decided)
  | ({ readonly type: 'RecordDecisionTold' } & Timed)

export type EndorsementEvent =
  | ({ readonly type: 'EndorsementOpened' } & Timed & EndorsedRecord)
  | ({ readonly type: 'EndorsementApproved' } & Decided)
  | ({ readonly type: 'EndorsementDenied'; readonly reason: string } & Decided)
  | ({ readonly type: 'DecisionTold' } & Timed)

export type EndorsementEffect = {
  readonly id: string
  readonly kind: 'tell-record'
  readonly endorsement: EndorsementRecord
}

export type EndorsementTypes = RecordTypes<
  EndorsementRecord,
  EndorsementCommand,
  EndorsementEvent,
  EndorsementEffect
>

export const endorsement = referencesTo<EndorsementTypes>('eds')
export const noSuchEndorsement = refuse('not_found', 'There is no endorsement with this id.')

export const endorsementDecider: Decider<EndorsementTypes> = recordDecider({
  unknown: noSuchEndorsement,
  first: ['OpenEndorsement', 'EndorsementOpened'],
  create: (command) => ({ ...command, type: 'EndorsementOpened' }),
  created: (facts, atMs) => ({
    ...facts,
    status: 'waiting',
    reason: null,
    decidedBy: null,
    decidedAtMs: null,
    isTold: false,
    createdAtMs: atMs,
  }),
  decide: ({ status, isTold }, command) => {
    const { atMs } = command
    if (command.type === 'RecordDecisionTold')
      return status === 'waiting' || isTold ? NOTHING_HAPPENS : [{ type: 'DecisionTold', atMs }]
    const decision = command.type === 'ApproveEndorsement' ? 'approved' : 'refused'
    if (status === decision) return NOTHING_HAPPENS
    if (status !== 'waiting')
      return refuse('endorsement_decided', `It was ${status} already; the organisation may try again.`)
    const { by } = command
    return command.type === 'ApproveEndorsement'
      ? [{ type: 'EndorsementApproved', atMs, by }]
      : [{ type: 'EndorsementDenied', atMs, by, reason: command.reason }]
  },
  evolve: (record, event) => {
    if (event.type === 'DecisionTold') {
      if (record.status === 'waiting') throw impossibleEvent(event, record.status)
      return { ...record, isTold: true }
    }
    if (record.status !== 'waiting') throw impossibleEvent(event, record.status)
    const at = { ...record, decidedBy: event.by, decidedAtMs: event.atMs }
    return event.type === 'EndorsementApproved'
      ? { ...at, status: 'approved' }
      : { ...at, status: 'refused', reason: event.reason }
  },
  owed: (record) =>
    record.status === 'waiting' || record.isTold
      ? NOTHING_HAPPENS
      : [{ id: 'tell', kind: 'tell-record', endorsement: record }],
})
