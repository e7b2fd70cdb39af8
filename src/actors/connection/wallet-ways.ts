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
  /** Where it was before its DID changed; messages under the keys of then may be under way still. Null once erased. */
  readonly former?: Former | null
}

type Former = { readonly service: Service; readonly untilMs: number }

type At = { readonly atMs: number }
type Rotation = { readonly theirDid: string | null; readonly theirService: Service | null }

export type WaysCommand =
  /** The wallet wants to be written to under another DID. */
  | ({ readonly type: 'RotateDid' } & At & Rotation)
  /** The wallet has shown that it knows these. */
  | ({ readonly type: 'RecordFormats'; readonly formats: readonly WalletFormat[] } & At)

export type WaysEvent =
  | ({ readonly type: 'ConnectionDidRotated'; readonly former: Former | null } & At & Rotation)
  | ({ readonly type: 'ConnectionFormatsSeen'; readonly formats: readonly WalletFormat[] } & At)

type Known = WalletWays & Rotation & { readonly status: string }

/** What was sent before a rotation comes soon after it, or never. */
const FORMER_MS = 600_000

/** Null where nothing is new, or the connection is not there any more. */
export const newWays = (state: Known, command: WaysCommand): WaysEvent | null => {
  if (state.status !== 'completed') return null
  const { atMs } = command
  if (command.type === 'RecordFormats') {
    const formats = [...new Set([...(state.formats ?? []), ...command.formats])].toSorted()
    return formats.length > (state.formats?.length ?? 0)
      ? { type: 'ConnectionFormatsSeen', atMs, formats }
      : null
  }
  const { theirDid, theirService } = command
  if (theirDid === state.theirDid) return null
  const former = state.theirService && { service: state.theirService, untilMs: atMs + FORMER_MS }
  return { type: 'ConnectionDidRotated', atMs, theirDid, theirService, former }
}

export const waysAfter = <Of extends Known>(state: Of, event: WaysEvent): Of => {
  if (state.status !== 'completed') throw impossibleEvent(event, state.status)
  if (event.type === 'ConnectionFormatsSeen') return { ...state, formats: event.formats }
  const { theirDid, theirService, former } = event
  return { ...state, theirDid, theirService, former }
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
