import { atMostOne, isRefused, refuse, type Refused } from './decider.ts'
import { erasedBy, erasure, type EraseCommand, type RecordErased } from './erasure.ts'
import { type Change, type ExchangeTimes, withMessage } from './exchange.ts'
import type { FailureCode } from './failures.ts'
import {
  lastWordAfter,
  lastWordEvent,
  type LastWord,
  type LastWordCommand,
  type LastWordEvent,
} from './last-word.ts'

/** The organisation ends what still runs, or the holder does, by hanging up. */
export type CancelCommand = {
  readonly type: 'CancelExchange'
  readonly atMs: number
  readonly tenant: string
  readonly by?: 'holder'
}

/** The face check of an exchange knows by now that its exchange has ended. */
export type RecordFaceCheckEnded = { readonly type: 'RecordFaceCheckEnded'; readonly atMs: number }
export type FaceCheckEnded = { readonly type: 'FaceCheckEnded'; readonly atMs: number }

/** How an exchange ends and what comes after its end is the same whatever it is about. */
export type EndCommand = LastWordCommand | CancelCommand | EraseCommand | RecordFaceCheckEnded
export type EndEvent = LastWordEvent | RecordErased | FaceCheckEnded

const TYPES: ReadonlySet<string> = new Set<EndCommand['type']>([
  'RecordLastWord',
  'RetryLastWord',
  'CancelExchange',
  'EraseRecord',
  'RecordFaceCheckEnded',
])

export const isEndCommand = <Command extends { readonly type: string }>(
  command: Command,
): command is Extract<Command, EndCommand> => TYPES.has(command.type)

type Existing = ExchangeTimes & {
  readonly status: string
  readonly tenant: string
  readonly externalId: string | null
}
type Over = Existing & {
  readonly lastWord: LastWord | null
  /** Whether the face check has yet to hear that the exchange has ended. */
  readonly checkToEnd?: boolean
}

type Ending<Abandoned> = {
  /** The exchange, if it is over. */
  readonly over: Over | null
  /** The answer to another organisation. */
  readonly unknown: Refused
  /** What callers see of a cancellation, where there is more to say. */
  readonly cancelled?: string
  /** What they see where the holder has hung up; null where the exchange goes on without another word of his. */
  readonly hungUp?: string | null
  readonly abandoned: (why: Why) => Abandoned
}

/** Why an exchange ends before it is done: for its record, its holder and the counts. */
export type Why = {
  readonly errorMessage: string | null
  readonly problem: string | null
  readonly failure: FailureCode
}

const CANCELLED = 'The organisation cancelled the exchange.'
const HUNG_UP = 'The holder closed the connection.'

const byHolder = (errorMessage: string): Why => ({ errorMessage, problem: null, failure: 'closed_by_holder' })
const unsaid: Why = { errorMessage: null, problem: null, failure: 'erased' }

export const decideEnd = <Abandoned extends { readonly change: Change<string> }>(
  state: Existing,
  command: EndCommand,
  { over, unknown, abandoned, cancelled = CANCELLED, hungUp = HUNG_UP }: Ending<Abandoned>,
): readonly (Abandoned | EndEvent)[] | Refused => {
  switch (command.type) {
    case 'CancelExchange':
      if (state.tenant !== command.tenant) return unknown
      if (command.by === 'holder')
        return atMostOne(over === null && hungUp !== null ? abandoned(byHolder(hungUp)) : null)
      return over === null
        ? [abandoned({ errorMessage: cancelled, problem: CANCELLED, failure: 'cancelled' })]
        : refuse('exchange_over', `This exchange is over already; its state is ${state.status}.`)
    case 'EraseRecord': {
      // Nothing of it is owed or shown afterwards, so its end says nothing either.
      const running = over === null ? abandoned(unsaid) : null
      const erased = erasure(state, command, { running, unknown })
      const isMute = command.withConnection === true && over !== null && over.lastWord !== null
      if (isRefused(erased) || erased.length === 0 || !isMute) return erased
      // There is no address any more to say it to.
      return [{ type: 'LastWordFailed', atMs: command.atMs, nextAtMs: null }, ...erased]
    }
    case 'RecordFaceCheckEnded':
      return atMostOne(over?.checkToEnd === true ? { type: 'FaceCheckEnded', atMs: command.atMs } : null)
    default:
      return atMostOne(over === null ? null : lastWordEvent(over, command))
  }
}

/** `erased`: the personal fields of the kind, which are null from the erasure on. */
export const afterEnd = <Record extends Over>(
  state: Record,
  event: EndEvent,
  erased: Partial<Record>,
): Record => {
  if (event.type === 'RecordErased') return { ...erasedBy(state, event), ...erased }
  if (event.type === 'FaceCheckEnded') return { ...state, checkToEnd: false }
  return { ...state, ...saidAfter(state, event), lastWord: lastWordAfter(state, event) }
}

/** That the last word has arrived is a step of its own. */
const saidAfter = ({ lastWord, steps }: Over, { type, atMs }: LastWordEvent): Partial<ExchangeTimes> =>
  type === 'LastWordDelivered'
    ? { steps: withMessage(steps, lastWord?.problem === null ? 'out:ack' : 'out:problem-report', atMs) }
    : {}
