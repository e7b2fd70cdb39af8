import type { Phone, PushMode } from '../../ports/mediator.ts'
import type { Socket } from '../../ports/sockets.ts'
import type { SessionHost } from './session-ports.ts'

type Sent = { readonly id: string; readonly place: number }
type Asker = { readonly place: number; readonly answer: (hasArrived: boolean) => void }

/**
 * Sends on one socket what waits in a mailbox, in its order, and each message once. That a message has arrived is known by
 * the answer to a ping that was sent behind it. In live mode the wallet says by a message of its own what it has. Where it
 * says nothing (`implicit`), a message that arrived is acknowledged when the socket has lived on for some seconds, or when
 * the wallet writes; if the socket ends before, the message comes again on the next one.
 */
export class Pushing {
  readonly phone: Phone
  readonly #all: SessionHost
  readonly #socket: Socket
  #mode: PushMode = 'implicit'
  #sentUpTo = 0
  #arrivedUpTo = 0
  #underWay = 0
  /** Sent bare, and not acknowledged yet: the oldest first. */
  #unacknowledged: Sent[] = []
  #askers: Asker[] = []
  #running: Promise<boolean> | null = null
  #isAskedAgain = false
  /** The other side has not read what is there already. */
  #isBehind = false
  #isRetrying = false
  #isOver = false

  constructor(all: SessionHost, socket: Socket, phone: Phone) {
    this.#all = all
    this.#socket = socket
    this.phone = phone
  }

  get mode(): PushMode {
    return this.#mode
  }

  /** One that has asked for live mode keeps it. */
  become(mode: PushMode): void {
    if (this.#mode === 'implicit') this.#mode = mode
  }

  /** Something may have come. Answers whether all of it has arrived at the wallet, or is about to. */
  async came(): Promise<boolean> {
    const isAll = await this.#run()
    if (this.#isOver) return false
    // What else waits is sent as soon as something of what is under way has arrived.
    const place = isAll ? this.#sentUpTo : Math.min(this.#sentUpTo, this.#arrivedUpTo + 1)
    if (place <= this.#arrivedUpTo) return isAll
    return new Promise((resolve) => {
      const asker: Asker = { place, answer: resolve }
      this.#askers.push(asker)
      this.#all.patience.add(() => this.#giveUp(asker))
    })
  }

  goOn(): void {
    void this.#run()
  }

  drained(): void {
    this.#isBehind = false
    this.goOn()
  }

  acknowledgeArrived(): Promise<void> {
    return this.#acknowledge(this.#arrivedUpTo)
  }

  stop(): void {
    this.#isOver = true
    for (const { answer } of this.#askers) answer(false)
    this.#askers = []
    this.#unacknowledged = []
  }

  /** One at a time; resolves with whether nothing is left to be sent. */
  #run(): Promise<boolean> {
    if (this.#running !== null) {
      this.#isAskedAgain = true
      return this.#running
    }
    this.#running = this.#sendAll().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #sendAll(): Promise<boolean> {
    let isAll = false
    do {
      this.#isAskedAgain = false
      isAll = await this.#sendSome().catch(() => this.#retry())
    } while (this.#isAskedAgain && !this.#isOver)
    return isAll
  }

  /** Until nothing is left, or for now nothing more may be under way. */
  async #sendSome(): Promise<boolean> {
    const { ports, settings } = this.#all
    while (!this.#isOver) {
      const room = settings.underWayMax - this.#underWay
      if (room <= 0 || this.#isBehind) return false
      const mode = this.#mode
      const messages = await ports.mediator.waiting(this.phone, this.#sentUpTo, room, mode)
      if (messages === null) return this.#endReplaced()
      if (messages.length === 0) return true
      if (mode === this.#mode) this.#send(messages, mode)
    }
    return false
  }

  /** As many of them as the other side is not behind with. */
  #send(messages: readonly (Sent & { readonly envelope: string })[], mode: PushMode): void {
    let sent = 0
    for (const { id, place, envelope } of messages) {
      if (this.#isOver || this.#isBehind) break
      this.#isBehind = !this.#socket.send(envelope)
      this.#sentUpTo = place
      sent += 1
      if (mode === 'implicit') this.#unacknowledged.push({ id, place })
    }
    this.#underWay += sent
    const upTo = this.#sentUpTo
    this.#socket.ping(() => this.#arrived(upTo, sent))
  }

  #arrived(upTo: number, count: number): void {
    if (this.#isOver) return
    this.#arrivedUpTo = upTo
    this.#underWay -= count
    const answered = this.#askers.filter(({ place }) => place <= upTo)
    this.#askers = this.#askers.filter(({ place }) => place > upTo)
    for (const { answer } of answered) answer(true)
    if (this.#unacknowledged.length > 0) this.#all.ripening.add(() => void this.#acknowledge(upTo))
    this.goOn()
  }

  async #acknowledge(upTo: number): Promise<void> {
    const due = this.#unacknowledged.filter(({ place }) => place <= upTo)
    if (due.length === 0 || this.#isOver) return
    this.#unacknowledged = this.#unacknowledged.filter(({ place }) => place > upTo)
    const ids = due.map(({ id }) => id)
    try {
      if (!(await this.#all.ports.mediator.acknowledge(this.phone, ids))) this.#endReplaced()
    } catch {
      this.#unacknowledged = [...due, ...this.#unacknowledged]
      this.#all.retries.add(() => void this.#acknowledge(upTo))
    }
  }

  /** Whoever is at the end of this socket is the wallet's phone no more; what waits is not for him. */
  #endReplaced(): false {
    this.#socket.end('refused', 'the wallet has connected anew, or is no more')
    return false
  }

  #giveUp(asker: Asker): void {
    asker.answer(false)
    this.#askers = this.#askers.filter((each) => each !== asker)
  }

  /** The mailbox could not be read now. */
  #retry(): boolean {
    if (!this.#isRetrying && !this.#isOver) {
      this.#isRetrying = true
      this.#all.retries.add(() => {
        this.#isRetrying = false
        this.goOn()
      })
    }
    return false
  }
}
