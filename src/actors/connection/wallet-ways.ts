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
  /** What it has been seen to know under the DID that it has; the first is the better one. */
  readonly formats?: readonly WalletFormat[]
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
    if (!isKeyOfNow(state, senderKey)) return []
    const formats = [...new Set([...(state.formats ?? []), ...command.formats])].toSorted()
    return formats.length > (state.formats?.length ?? 0)
      ? [{ type: 'ConnectionFormatsSeen', atMs, formats }]
      : []
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
  if (event.type === 'ConnectionFormatsSeen') return { ...state, formats: event.formats }
  const { theirDid, theirService, former } = event
  // Behind another DID may be another wallet, so nothing is known of what it reads.
  return { ...state, theirDid, theirService, former, formats: [] }
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
