import type { Timer } from './decider.ts'
import { type ExchangeTimes, withMessage } from './exchange.ts'
import type { WalletFormat } from './wallet-formats.ts'

/**
 * The message that opens an exchange. Of a new wallet nobody knows which format it reads, and one that reads another is
 * silent: then the message goes out once more in that. Of a wallet that has read the first one and is slow, some take no
 * second, and some take it in place of the first and then fail over what they had begun.
 */
export type Opening = {
  readonly delivered: boolean
  /** Left out where it is chosen when the message leaves, by what the wallet has shown until then. */
  readonly format?: WalletFormat
  /** When it is to go out in the other format; null or left out where it is not. */
  readonly otherAtMs?: number | null
}

export const OTHER_FORMAT_TIMER = 'other-format'

export const notOpened: Opening = { delivered: false }

/** The wallet's endpoint has taken the message. */
export const opened = <Of extends Opening & Pick<ExchangeTimes, 'steps'>>(
  state: Of,
  message: string,
  { otherAtMs, atMs }: { readonly otherAtMs: number | null; readonly atMs: number },
): Of => ({
  ...state,
  delivered: true,
  otherAtMs,
  steps: withMessage(state.steps, `out:${message}`, atMs),
})

export const openedAgain = <Of extends Opening>(state: Of): Of => ({
  ...state,
  delivered: false,
  format: 'hlindy',
  otherAtMs: null,
})

/** Whether it is time for the other format. */
export const isUnread = ({ delivered, otherAtMs }: Opening, atMs: number): boolean =>
  delivered && typeof otherAtMs === 'number' && atMs >= otherAtMs

export const openingTimer = ({ delivered, otherAtMs }: Opening): readonly Timer[] =>
  delivered && typeof otherAtMs === 'number' ? [{ id: OTHER_FORMAT_TIMER, dueMs: otherAtMs }] : []

/** Whether it has gone out, or is about to go out, in both formats. */
export const isOpenedTwice = ({ format }: Opening): boolean => format !== undefined

/** Names each of the two. */
export const stepOf = (name: string, { format }: Opening): string =>
  format === undefined ? name : `${name}:${format}`
