/** Why this side ends a socket; what the other side is told is the code of each. */
export type SocketEnd =
  /** The node stops; another one is there for it. */
  | 'going_away'
  /** It said what may not be said here, or nothing for too long. */
  | 'refused'
  /** Something went wrong on our side. */
  | 'failed'
  /** Too much comes at once. */
  | 'try_again_later'

/** One WebSocket, as whoever talks on it sees it. Once it is over, nothing that is done with it has an effect. */
export interface Socket {
  /**
   * One message. False: it is over, or the other side has not read what is there already, and gets nothing more before
   * `drained`. Whoever goes on regardless loses the socket.
   */
  send(text: string): boolean
  /**
   * `heard` is called when the other side has answered, so that everything that was sent before has arrived there. It is
   * never called where the socket ends before.
   */
  ping(heard: () => void): void
  /** The other side has shown who it is: from now on it may say nothing for as long as it answers pings. */
  keep(): void
  /** What was sent before still goes out. `reason`: at most 120 bytes, for whoever looks for a mistake. */
  end(why: SocketEnd, reason: string): void
  /** The same once all messages that came before are worked off; what comes from now on is not looked at. */
  endAfterWork(why: SocketEnd, reason: string): void
}

export interface SocketListener {
  /**
   * One message, text or binary: the next one comes when this one is done with. What came before the end may be handed
   * over after it. A throw ends the socket.
   */
  received(message: Uint8Array): Promise<void>
  /** There is room again, after `send` said that there was none. */
  drained(): void
  /** Called once, whichever side ended it. */
  ended(): void
}

export type SocketOpening = {
  /** What the path names behind `/didcomm/`; null for `/didcomm` itself. */
  readonly address: string | null
  /** The client's network address. */
  readonly from: string
}

/** Who talks on sockets. */
export type SocketDoor = {
  /** Whether a socket may be opened at `/didcomm/{address}`. */
  readonly isAddress: (address: string) => boolean
  /** Called for each socket that was opened, before anything is received on it. */
  readonly opened: (socket: Socket, opening: SocketOpening) => SocketListener
}
