import { atMostOne, impossibleEvent, type Refused, refuse } from './decider.ts'

/**
 * Of whatever an organisation publishes on the ledger, schemas and credential definitions alike. Where the operator's
 * endorser signs by itself, the two states between `pending` and `published` are left out.
 *
 *   pending ──asked for──▶ awaiting_endorsement ──approved──▶ endorsed ──written──▶ published ──▶ deprecated
 *      ├─────────────────written, endorsed by itself──────────────────────────────────▲
 *      └──refused by the ledger, or an operator──▶ failed ──retried──▶ pending
 */
export const PUBLISHING_STATUSES = [
  'pending',
  'awaiting_endorsement',
  'endorsed',
  'published',
  'deprecated',
  'failed',
] as const
export type PublishingStatus = (typeof PUBLISHING_STATUSES)[number]

/** Who decides that the operator's endorser signs what an organisation writes. */
export const endorsementModes = ['automatic', 'manual'] as const
export type EndorsementMode = (typeof endorsementModes)[number]

export type Publishing = {
  readonly tenant: string
  readonly status: PublishingStatus
  /** Left out: automatic. */
  readonly endorsement?: EndorsementMode
  /** Left out: the first. Each retry is an attempt of its own, with an endorsement of its own. */
  readonly attempt?: number
  readonly lastError: string | null
  readonly updatedAtMs: number
}

type Timed = { readonly atMs: number }
type OfAttempt = Timed & { readonly attempt: number }

/** Beside the commands of a kind that is published. */
export type PublishingCommand =
  | ({ readonly type: 'RetryPublishing'; readonly endorsement: EndorsementMode } & Timed)
  | ({ readonly type: 'Deprecate' } & Timed)
  | ({ readonly type: 'RecordEndorsementAwaited' | 'RecordEndorsed' } & OfAttempt)
  | ({ readonly type: 'RecordEndorsementRefused'; readonly reason: string } & OfAttempt)

/** Beside its events. */
export type PublishingEvent =
  | ({ readonly type: 'PublishingRetried'; readonly endorsement: EndorsementMode } & OfAttempt)
  | ({ readonly type: 'Deprecated' | 'EndorsementAwaited' | 'Endorsed' } & Timed)
  | ({ readonly type: 'EndorsementRefused'; readonly reason: string } & Timed)

export const attemptOf = ({ attempt = 1 }: Publishing): number => attempt

const isByHand = ({ endorsement }: Publishing): boolean => endorsement === 'manual'

/** Whether an operator has yet to be asked. */
export const owesEndorsement = (record: Publishing): boolean =>
  record.status === 'pending' && isByHand(record)

/** Whether it may be written now. */
export const owesWriting = (record: Publishing): boolean =>
  record.status === 'endorsed' || (record.status === 'pending' && !isByHand(record))

/** Whether the ledger may still take or refuse it. */
export const isOnItsWay = ({ status }: Publishing): boolean => status === 'pending' || status === 'endorsed'

const isWaiting = ({ status }: Publishing): boolean =>
  status === 'pending' || status === 'awaiting_endorsement'

export type NotPublished = 'schema_not_published' | 'credential_definition_not_published'

export const decidePublishing = (
  record: Publishing,
  command: PublishingCommand,
  notPublished: NotPublished,
): readonly PublishingEvent[] | Refused => {
  const { status } = record
  const { atMs } = command
  switch (command.type) {
    case 'RetryPublishing': {
      if (status === 'published' || status === 'deprecated')
        return refuse('already_published', `It is ${status}: there is nothing to try again.`)
      const attempt = attemptOf(record) + 1
      const { endorsement } = command
      return atMostOne(status === 'failed' ? { type: 'PublishingRetried', atMs, endorsement, attempt } : null)
    }
    case 'Deprecate':
      if (status === 'published') return [{ type: 'Deprecated', atMs }]
      return status === 'deprecated'
        ? []
        : refuse(notPublished, `It is ${status}: only what is published can be deprecated.`)
    default: {
      // The decision of an operator about an attempt that is over changes nothing.
      const isMeant = isByHand(record) && isWaiting(record) && command.attempt === attemptOf(record)
      return atMostOne(isMeant ? endorsementEvent(record, command) : null)
    }
  }
}

type OfEndorsement = Extract<PublishingCommand, { readonly attempt: number }>

const endorsementEvent = ({ status }: Publishing, command: OfEndorsement): PublishingEvent | null => {
  const { atMs } = command
  switch (command.type) {
    case 'RecordEndorsementAwaited':
      return status === 'pending' ? { type: 'EndorsementAwaited', atMs } : null
    case 'RecordEndorsed':
      return { type: 'Endorsed', atMs }
    case 'RecordEndorsementRefused':
      return { type: 'EndorsementRefused', atMs, reason: command.reason }
  }
}

/** What of the record an event changes. */
export const evolvePublishing = (
  record: Publishing,
  event: PublishingEvent,
): Partial<Pick<Publishing, 'endorsement' | 'attempt'>> &
  Pick<Publishing, 'status' | 'lastError' | 'updatedAtMs'> => {
  const { status, lastError } = record
  const mayBe = (isPossible: boolean): void => {
    if (!isPossible) throw impossibleEvent(event, status)
  }
  const updatedAtMs = event.atMs
  switch (event.type) {
    case 'PublishingRetried': {
      mayBe(status === 'failed')
      const { endorsement, attempt } = event
      return { status: 'pending', lastError: null, updatedAtMs, endorsement, attempt }
    }
    case 'Deprecated':
      mayBe(status === 'published')
      return { status: 'deprecated', lastError, updatedAtMs }
    case 'EndorsementAwaited':
      mayBe(status === 'pending')
      return { status: 'awaiting_endorsement', lastError, updatedAtMs }
    case 'Endorsed':
      mayBe(isWaiting(record))
      return { status: 'endorsed', lastError, updatedAtMs }
    case 'EndorsementRefused':
      mayBe(isWaiting(record))
      return { status: 'failed', lastError: event.reason, updatedAtMs }
  }
}

/** Of one kind's own commands. */
export const isPublishingCommand = (command: { readonly type: string }): command is PublishingCommand =>
  COMMANDS.has(command.type)

export const isPublishingEvent = (event: { readonly type: string }): event is PublishingEvent =>
  EVENTS.has(event.type)

const COMMANDS: ReadonlySet<string> = new Set<PublishingCommand['type']>([
  'RetryPublishing',
  'Deprecate',
  'RecordEndorsementAwaited',
  'RecordEndorsed',
  'RecordEndorsementRefused',
])
const EVENTS: ReadonlySet<string> = new Set<PublishingEvent['type']>([
  'PublishingRetried',
  'Deprecated',
  'EndorsementAwaited',
  'Endorsed',
  'EndorsementRefused',
])
