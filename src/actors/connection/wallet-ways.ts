import { impossibleEvent, refuse, type Refused } from '../../domain/decider.ts'
import type { WalletFormat } from '../../domain/wallet-formats.ts'

type Service = {
  readonly endpoint: string
  readonly recipientKeys: readonly string[]
  readonly routingKeys: readonly string[]
}

/**
 * How the wallet of a completed connection is to be spoken to, as it has turned out since. Both are left out until
 * then.
 */
export type WalletWays = {
  /** What it has last been seen to know under the DID that it has, the better one first, and when that was. */
  readonly formats?: readonly WalletFormat[]
  readonly formatsAtMs?: number
  /** Where it was before its DID changed; messages under the keys of then may be under way still. Null once erased. */
  readonly former?: Former | null
}

type Former = { readonly service: Service; readonly untilMs: number }

type At = { readonly atMs: number }
/** `senderKey`: the key of the wallet that its message was sealed with. */
export type BySender = { readonly senderKey: string }
type Rotation = { readonly theirDid: string | null; readonly theirService: Service | null }

export type WaysCommand =
  /** The wallet wants to be written to under another DID. */
  | ({ readonly type: 'RotateDid' } & BySender & At & Rotation)
  /** The wallet has shown that it knows these. */
  | ({ readonly type: 'RecordFormats'; readonly formats: readonly WalletFormat[] } & BySender & At)

export type WaysEvent =
  | ({ readonly type: 'ConnectionDidRotated'; readonly former: Former | null } & At & Rotation)
  | ({ readonly type: 'ConnectionFormatsSeen'; readonly formats: readonly WalletFormat[] } & At)

type Known = WalletWays & Rotation & { readonly status: string }

/** What was sent before a rotation comes soon after it, or never. */
const FORMER_MS = 600_000
/** Each is kept for as long as the connection, so a wallet may not have them as fast as it can. */
const ROTATION_PAUSE_MS = 60_000

const DAY_MS = 86_400_000
/** A wallet may be updated, or restored from an older one, and then reads what it did not read before, or no more. */
const FORMATS_KNOWN_MS = 30 * DAY_MS
/**
 * When the same format is noted once more: of a wallet that goes on using the newer one before its time is over, so that
 * nothing has to be found out. The older one has its time and no more, because a wallet that has come to know the newer
 * one is only asked for it then.
 */
const NOTED_AGAIN_MS = { anoncreds: FORMATS_KNOWN_MS / 2, hlindy: FORMATS_KNOWN_MS } as const
/** Each change is kept for as long as the connection, as with its DIDs. */
const FORMATS_PAUSE_MS = 60_000

/** A wallet gives a key up because another may have it: that one may finish what it sent, and move or end nothing. */
export const formerKey = refuse(
  'message_unexpected',
  'The message is sealed with a key of a DID that the connection had before.',
)

const tooSoon = refuse('message_unexpected', 'The DID has changed less than a minute ago.')

export const isKeyOfNow = ({ theirService }: Pick<Known, 'theirService'>, key: string): boolean =>
  theirService?.recipientKeys.includes(key) === true

/** Nothing where nothing is new, or the connection is not there any more. */
export const newWays = (state: Known, command: WaysCommand): readonly WaysEvent[] | Refused => {
  if (state.status !== 'completed') return []
  const { atMs, senderKey } = command
  if (command.type === 'RecordFormats') {
    if (!isKeyOfNow(state, senderKey) || !isNews(state, command.formats, atMs)) return []
    return [{ type: 'ConnectionFormatsSeen', atMs, formats: command.formats.toSorted() }]
  }
  const { theirDid, theirService } = command
  if (theirDid === state.theirDid) return []
  if (!isKeyOfNow(state, senderKey)) return formerKey
  if (state.former && atMs < state.former.untilMs - FORMER_MS + ROTATION_PAUSE_MS) return tooSoon
  const former = state.theirService && { service: state.theirService, untilMs: atMs + FORMER_MS }
  return [{ type: 'ConnectionDidRotated', atMs, theirDid, theirService, former }]
}

export const waysAfter = <Of extends Known>(state: Of, event: WaysEvent): Of => {
  if (state.status !== 'completed') throw impossibleEvent(event, state.status)
  if (event.type === 'ConnectionFormatsSeen')
    return { ...state, formats: event.formats, formatsAtMs: event.atMs }
  const { theirDid, theirService, former } = event
  // Behind another DID may be another wallet, so nothing is known of what it reads.
  return { ...state, theirDid, theirService, former, formats: [] }
}

export type FormatsSeen = {
  readonly formats?: readonly WalletFormat[] | undefined
  readonly formatsAtMs?: number | undefined
}

/** A time far ahead was said by a node whose clock was wrong: nothing is known then. */
const knownFrom = ({ formatsAtMs = 0 }: FormatsSeen, atMs: number): number =>
  formatsAtMs > atMs + FORMATS_PAUSE_MS ? 0 : formatsAtMs

/** The format that the wallet is to be written to in; null where that has to be found out, for the first time or again. */
export const formatOf = (seen: FormatsSeen, atMs: number): WalletFormat | null =>
  atMs < knownFrom(seen, atMs) + FORMATS_KNOWN_MS ? (seen.formats?.[0] ?? null) : null

/** Whether to note what a message has shown. */
export const isNews = (seen: FormatsSeen, shown: readonly WalletFormat[], atMs: number): boolean => {
  const [[best], [now]] = [seen.formats ?? [], shown.toSorted()]
  if (now === undefined || best === undefined) return now !== undefined
  return atMs >= knownFrom(seen, atMs) + (now === best ? NOTED_AGAIN_MS[now] : FORMATS_PAUSE_MS)
}

/** Where the wallet was that writes with this key; null where no key of it is. */
export const serviceOfKey = (
  { theirService, former }: Pick<Known, 'theirService' | 'former'>,
  key: string,
  atMs: number,
): Service | null => {
  if (theirService?.recipientKeys.includes(key)) return theirService
  const isFormer = former && atMs < former.untilMs && former.service.recipientKeys.includes(key)
  return isFormer ? former.service : null
}
