import { impossibleEvent } from '../../domain/decider.ts'
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
  /** What it has been seen to know; the first is the better one. */
  readonly formats?: readonly WalletFormat[]
  /** Its keys of before its DID changed, with which messages may be under way still; null once erased. */
  readonly former?: FormerKeys | null
}

type FormerKeys = { readonly keys: readonly string[]; readonly untilMs: number }

type At = { readonly atMs: number }
type Rotation = { readonly theirDid: string | null; readonly theirService: Service | null }

export type WaysCommand =
  /** The wallet wants to be written to under another DID. */
  | ({ readonly type: 'RotateDid' } & At & Rotation)
  /** The wallet has shown that it knows these. */
  | ({ readonly type: 'RecordFormats'; readonly formats: readonly WalletFormat[] } & At)

export type WaysEvent =
  | ({ readonly type: 'ConnectionDidRotated'; readonly former: FormerKeys | null } & At & Rotation)
  | ({ readonly type: 'ConnectionFormatsSeen'; readonly formats: readonly WalletFormat[] } & At)

type Known = WalletWays & Rotation & { readonly status: string }

/** What was sent before a rotation comes soon after it, or never. */
const FORMER_KEYS_MS = 600_000

/** Null where nothing is new, or the connection is not there any more. */
export const newWays = (state: Known, command: WaysCommand): WaysEvent | null => {
  if (state.status !== 'completed') return null
  const { atMs } = command
  if (command.type === 'RecordFormats') {
    const formats = [...new Set([...(state.formats ?? []), ...command.formats])].toSorted()
    return formats.length > (state.formats?.length ?? 0) ? { type: 'ConnectionFormatsSeen', atMs, formats } : null
  }
  const { theirDid, theirService } = command
  if (theirDid === state.theirDid) return null
  const keys = state.theirService?.recipientKeys ?? []
  const former = { keys, untilMs: atMs + FORMER_KEYS_MS }
  return { type: 'ConnectionDidRotated', atMs, theirDid, theirService, former }
}

export const waysAfter = <Of extends Known>(state: Of, event: WaysEvent): Of => {
  if (state.status !== 'completed') throw impossibleEvent(event, state.status)
  if (event.type === 'ConnectionFormatsSeen') return { ...state, formats: event.formats }
  const { theirDid, theirService, former } = event
  return { ...state, theirDid, theirService, former }
}

/** Whether messages under this key are the wallet's. */
export const isWalletsKey = (
  { theirService, former }: Pick<Known, 'theirService' | 'former'>,
  key: string,
  atMs: number,
): boolean =>
  theirService?.recipientKeys.includes(key) === true ||
  (former?.keys.includes(key) === true && atMs < former.untilMs)
