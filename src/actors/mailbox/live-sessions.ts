import type { MailboxWatch } from '../../ports/mailbox-watch.ts'
import type { Mediator } from '../../ports/mediator.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { Socket, SocketDoor } from '../../ports/sockets.ts'
import { SameDelay } from '../../timing/same-delay.ts'
import { LiveSession } from './live-session.ts'
import { mailbox } from './state.ts'

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
}

export type SessionSettings = Readonly<typeof sessionDefaults>

/** All sockets of this node on which wallets talk with the mediator. */
export class LiveSessions implements SocketDoor {
  readonly ports: SessionPorts
  readonly settings: SessionSettings
  readonly ripening: SameDelay
  readonly patience: SameDelay
  readonly retries: SameDelay
  /** Which one pushes, where the wallet has several. */
  readonly #pushing = new Map<string, LiveSession>()

  constructor(ports: SessionPorts, settings: SessionSettings = sessionDefaults) {
    this.ports = ports
    this.settings = settings
    this.ripening = new SameDelay(ports.runtime, settings.ripeMs)
    this.patience = new SameDelay(ports.runtime, settings.patienceMs)
    this.retries = new SameDelay(ports.runtime, settings.retryMs)
  }

  /** How many of them push what comes. */
  get size(): number {
    return this.#pushing.size
  }

  readonly isAddress = (address: string): boolean => mailbox.find(address) !== null

  readonly opened: SocketDoor['opened'] = (socket: Socket, opening) => new LiveSession(this, socket, opening)

  /** The wallet has written: whatever of its sockets has sent it something has a living phone at its end. */
  wrote(address: string): void {
    void this.#pushing.get(address)?.acknowledgeArrived()
  }

  /**
   * This one pushes from now on: on an older socket there is perhaps nobody any more. Resolves when it may begin, because
   * what has arrived by the other one, whose wallet writes here now, is acknowledged.
   */
  async pushes(address: string, session: LiveSession): Promise<void> {
    const before = this.#pushing.get(address)
    if (before === session) return
    this.#pushing.set(address, session)
    const acknowledged = before?.acknowledgeArrived()
    before?.pushNoMore()
    await acknowledged
  }

  pushesNoMore(address: string, session: LiveSession): void {
    if (this.#pushing.get(address) === session) this.#pushing.delete(address)
  }

  stop(): void {
    for (const each of [this.ripening, this.patience, this.retries]) each.stop()
  }
}
