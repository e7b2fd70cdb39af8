import type { Socket, SocketDoor } from '../../ports/sockets.ts'
import { SameDelay } from '../../timing/same-delay.ts'
import { LiveSession } from './live-session.ts'
import {
  type PushingSession,
  sessionDefaults,
  type SessionHost,
  type SessionPorts,
  type SessionSettings,
} from './session-ports.ts'
import { mailbox } from './state.ts'

/** All sockets of this node on which wallets talk with the mediator. */
export class LiveSessions implements SocketDoor, SessionHost {
  readonly ports: SessionPorts
  readonly settings: SessionSettings
  readonly ripening: SameDelay
  readonly patience: SameDelay
  readonly retries: SameDelay
  /** Which one pushes, where the wallet has several. */
  readonly #pushing = new Map<string, PushingSession>()
  /** The oldest first. */
  readonly #ofWallet = new Map<string, readonly PushingSession[]>()

  constructor(ports: SessionPorts, settings: SessionSettings = sessionDefaults) {
    this.ports = ports
    this.settings = settings
    this.ripening = new SameDelay(ports.runtime, settings.ripeMs)
    this.patience = new SameDelay(ports.runtime, settings.patienceMs)
    this.retries = new SameDelay(ports.runtime, settings.retryMs)
  }

  /** Of how many wallets there are sockets, and how many of these are pushed to. */
  get size(): { readonly wallets: number; readonly pushing: number } {
    return { wallets: this.#ofWallet.size, pushing: this.#pushing.size }
  }

  readonly isAddress = (address: string): boolean => mailbox.find(address) !== null

  readonly opened: SocketDoor['opened'] = (socket: Socket, opening) => new LiveSession(this, socket, opening)

  shown(address: string, session: PushingSession): void {
    const all = [...(this.#ofWallet.get(address) ?? []), session]
    this.#ofWallet.set(address, all)
    // It leaves the list as it ends.
    if (all.length > this.settings.ofWalletMax) all[0]?.giveUp()
  }

  left(address: string, session: PushingSession): void {
    const others = this.#ofWallet.get(address)?.filter((each) => each !== session) ?? []
    if (others.length > 0) this.#ofWallet.set(address, others)
    else this.#ofWallet.delete(address)
  }

  wrote(address: string): void {
    void this.#pushing.get(address)?.acknowledgeArrived()
  }

  async pushes(address: string, session: PushingSession): Promise<void> {
    const before = this.#pushing.get(address)
    if (before === session) return
    this.#pushing.set(address, session)
    const acknowledged = before?.acknowledgeArrived()
    before?.pushNoMore()
    await acknowledged
  }

  pushesNoMore(address: string, session: PushingSession): void {
    if (this.#pushing.get(address) === session) this.#pushing.delete(address)
  }

  stop(): void {
    for (const each of [this.ripening, this.patience, this.retries]) each.stop()
  }
}
