import type { SocketDoor, SocketEnd } from '../../../ports/sockets.ts'
import type { SocketSettings } from './settings.ts'

export type SocketsOptions = {
  readonly door: SocketDoor
  readonly clientAddress: (head: {
    readonly headers: ReadonlyMap<string, string>
    readonly remoteAddress: string
  }) => string
  readonly settings: SocketSettings
  /** A message was not worked off, and its socket is ended. */
  readonly failed: (error: unknown) => void
}

/** Why a socket is over, as the metrics tell it apart. `crowd`: a stranger, of whom there were too many. */
export type EndReason = SocketEnd | 'left' | 'silent' | 'unread' | 'crowd'

/** What the sockets of one server are and have done since its start. */
export type SocketCounts = {
  open: number
  opened: number
  refused: number
  unreadBytes: number
  readonly ended: Partial<Record<EndReason, number>>
}
