import { isRetryable } from '../../ports/actors.ts'
import type { Watching } from '../../ports/mailbox-watch.ts'
import type { MediatorSession, Outcome, Phone, PushMode } from '../../ports/mediator.ts'
import type { Socket, SocketListener, SocketOpening } from '../../ports/sockets.ts'
import { Pushing } from './pushing.ts'
import type { PushingSession, SessionHost } from './session-ports.ts'
import { envelopeIn, isLarge } from './socket-message.ts'

/** One socket: what the wallet says on it goes to the mediator, and what waits for the wallet comes back where it wants that. */
export class LiveSession implements SocketListener, MediatorSession, PushingSession {
  readonly address: string | null
  readonly isSocket = true
  readonly #all: SessionHost
  readonly #socket: Socket
  readonly #from: string
  #pushing: Pushing | null = null
  #watching: Watching | null = null
  #mayBegin: Promise<void> | null = null
  /** Whose the socket is, as the wallet has shown. */
  #phone: Phone | null = null
  #isOver = false
  #unreadable = 0

  constructor(all: SessionHost, socket: Socket, { address, from }: SocketOpening) {
    this.#all = all
    this.#socket = socket
    this.address = address
    this.#from = from
  }

  // What the socket says.

  async received(message: Uint8Array): Promise<void> {
    if (isLarge(message) && !this.#mayBeLarge()) return
    const envelope = envelopeIn(message)
    if (envelope === null) return this.#notRead()
    try {
      const { outcome, replies } = await this.#all.ports.mediator.handle(envelope, this)
      for (const reply of replies) this.#socket.send(reply)
      this.#heard(outcome)
    } catch (error) {
      if (!isRetryable(error)) throw error
      this.#socket.end('try_again_later', 'the message could not be taken now')
    }
    if (this.#pushing !== null && !this.#isOver) await this.#begin(this.#pushing)
  }

  drained(): void {
    this.#pushing?.drained()
  }

  ended(): void {
    this.#isOver = true
    this.pushNoMore()
    if (this.#phone !== null) this.#all.left(this.#phone.mailbox, this)
  }

  // What the mediator says.

  opened(phone: Phone): void {
    const { mailbox, connection } = phone
    if (this.#phone === null && !this.#isOver) {
      this.#phone = phone
      this.#socket.keep()
      this.#all.shown(mailbox, this)
    } else if (this.#phone !== null && this.#phone.connection !== connection) {
      // The app was reset, and has not said yet what it wants here.
      this.pushNoMore()
      this.#phone = phone
    }
    this.#all.wrote(mailbox)
  }

  get mode(): PushMode | null {
    return this.#pushing?.mode ?? null
  }

  push(mailbox: string, mode: PushMode | null): void {
    if (mode === null) return this.pushNoMore()
    if (this.#isOver || this.#phone === null) return
    this.#pushing ??= new Pushing(this.#all, this.#socket, this.#phone)
    this.#pushing.become(mode)
    this.#mayBegin = this.#all.pushes(mailbox, this)
  }

  // What other sessions of the wallet say.

  async acknowledgeArrived(): Promise<void> {
    await this.#pushing?.acknowledgeArrived()
  }

  pushNoMore(): void {
    const pushing = this.#pushing
    this.#pushing = null
    this.#watching?.[Symbol.dispose]()
    this.#watching = null
    if (pushing === null) return
    pushing.stop()
    this.#all.pushesNoMore(pushing.phone.mailbox, this)
  }

  giveUp(): void {
    this.#socket.end('refused', 'the wallet has opened others')
  }

  /** Watches first, and reads then: so nothing comes between. */
  async #begin(pushing: Pushing): Promise<void> {
    if (this.#watching !== null) return pushing.goOn()
    await this.#mayBegin
    const watching = await this.#all.ports.mailboxWatch.watch(pushing.phone.mailbox, () => pushing.came())
    if (this.#pushing !== pushing) return watching[Symbol.dispose]()
    this.#watching = watching
    pushing.goOn()
  }

  /** Only whoever has shown who it is may say much, and not all the time. */
  #mayBeLarge(): boolean {
    const { address } = this
    const isAllowed = address !== null && this.#phone !== null
    if (isAllowed && this.#all.ports.takeLarge(address, this.#from) === null) return true
    if (isAllowed) this.#socket.end('try_again_later', 'too many large messages')
    else this.#socket.end('refused', 'too large from a stranger')
    return false
  }

  /**
   * There is no status on a socket: what was not taken and can be taken later, the sender learns by its end alone. What
   * came behind it may be for other wallets, whose mailboxes have room.
   */
  #heard(outcome: Outcome): void {
    if (outcome === 'accepted') this.#unreadable = 0
    else if (outcome === 'refused') this.#notRead()
    else if ('retryAfterMs' in outcome) this.#socket.endAfterWork('try_again_later', 'too much comes at once')
    else if ('undelivered' in outcome && outcome.undelivered === 'full')
      this.#socket.endAfterWork('try_again_later', 'the mailbox is full')
    else this.#notRead()
  }

  #notRead(): void {
    this.#unreadable += 1
    if (this.#unreadable >= this.#all.settings.unreadableMax)
      this.#socket.end('refused', 'no one here can read this')
  }
}
