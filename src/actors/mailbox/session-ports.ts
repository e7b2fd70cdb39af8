import type { MailboxWatch } from '../../ports/mailbox-watch.ts'
import type { Mediator } from '../../ports/mediator.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { SameDelay } from '../../timing/same-delay.ts'

export type SessionPorts = {
  readonly mediator: Mediator
  readonly mailboxWatch: MailboxWatch
  readonly runtime: Pick<Runtime, 'monotonicMs' | 'sleep'>
  /** How long a known sender has to wait with a large message; null when it may come now, and then it counts. */
  readonly takeLarge: (address: string, from: string) => number | null
}

export const sessionDefaults = {
  /** A phone has a message when its side of the socket has had it for so long, and the socket is still there. */
  ripeMs: 5_000,
  /** For so long a session waits to hear that something has arrived before it says that it has not. */
  patienceMs: 4_000,
  /** What could not be read or acknowledged is tried again after this. */
  retryMs: 1_000,
  /** Messages that were sent and have not arrived, as far as is known. */
  underWayMax: 32,
  /** Messages in a row that nobody here can read. */
  unreadableMax: 8,
  /** Sockets of one wallet at this node: most have one, and perhaps an older one that is not known to be gone. */
  ofWalletMax: 4,
}

export type SessionSettings = Readonly<typeof sessionDefaults>

/** What all sessions of a node share. */
export interface SessionHost {
  readonly ports: SessionPorts
  readonly settings: SessionSettings
  readonly ripening: SameDelay
  readonly patience: SameDelay
  readonly retries: SameDelay
  /** The session is the wallet's, as its first message has shown; the oldest of too many ends. */
  shown(address: string, session: PushingSession): void
  left(address: string, session: PushingSession): void
  /** The wallet has written: whatever of its sockets has sent it something has a living phone at its end. */
  wrote(address: string): void
  /**
   * This one pushes from now on: on an older socket there is perhaps nobody any more. Resolves when it may begin, because
   * what has arrived by the other one, whose wallet writes here now, is acknowledged.
   */
  pushes(address: string, session: PushingSession): Promise<void>
  pushesNoMore(address: string, session: PushingSession): void
}

/** One session, as others of the same wallet see it. */
export interface PushingSession {
  acknowledgeArrived(): Promise<void>
  pushNoMore(): void
  /** Ends its socket. */
  giveUp(): void
}
