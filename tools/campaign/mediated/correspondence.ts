import { setTimeout as pause } from 'node:timers/promises'
import { LightWallet, numberOf, sealedMessages } from '../../../bench/load/light-wallet.ts'
import { untilFound } from '../../harness/waiting.ts'
import type { Random } from '../../simulate/random.ts'

type Manner = 'poll' | 'implicit' | 'live'

const MANNERS: readonly Manner[] = ['poll', 'implicit', 'live']
const MESSAGE_BYTES = 2_000
const BETWEEN_MESSAGES_MS = 500
const BETWEEN_POLLS_MS = 700
const AGAIN_MS = 250
const PATIENCE_MS = 15 * 60_000
const OPEN_LIMIT_MS = 20_000

/** What one wallet was sent, and what came of it. */
type Box = {
  readonly wallet: LightWallet
  readonly manner: Manner
  readonly name: string
  /** The last message that was answered 202; the one before it was too. */
  sent: number
  /** The last one that came for the first time. */
  received: number
  copies: number
  /** Ids that the mediator has confirmed to be acknowledged. */
  readonly acknowledged: Set<string>
}

/**
 * Numbered messages of strangers to wallets that count: what was answered 202 comes, in its order, and what was
 * acknowledged comes no more. The wallets poll, or have sockets that are cut at random.
 */
export class Correspondence {
  readonly #boxes: readonly Box[]
  readonly #random: Random
  readonly #over = new AbortController()
  #running: Promise<unknown> = Promise.resolve()
  readonly problems: string[] = []
  /** Attempts that were answered by something else than 202, by what that was. */
  readonly repeated: Record<string, number> = {}

  private constructor(boxes: readonly Box[], random: Random) {
    this.#boxes = boxes
    this.#random = random
  }

  static async open(count: number, invite: () => Promise<string>, random: Random): Promise<Correspondence> {
    const boxes: Box[] = []
    for (let index = 0; index < count; index += 1) {
      const wallet = await LightWallet.register(await invite())
      const manner = MANNERS[index % MANNERS.length] ?? 'poll'
      const name = `mailbox ${index + 1} (${manner})`
      boxes.push({ wallet, manner, name, sent: 0, received: 0, copies: 0, acknowledged: new Set() })
    }
    return new Correspondence(boxes, random)
  }

  begin(): void {
    const { signal } = this.#over
    const senders = this.#boxes.map((box) => this.#send(box, signal))
    for (const box of this.#boxes) void this.#receive(box)
    this.#running = Promise.all(senders)
  }

  /** Cuts some of the sockets. */
  disturb(): void {
    for (const { wallet } of this.#boxes) if (this.#random.chance(0.1)) wallet.socket?.terminate()
  }

  /** Sends no more, and resolves when all that was sent is there, or will not come. */
  async finish(limitMs: number): Promise<void> {
    this.#over.abort()
    await this.#running
    const isAllThere = (): boolean => this.#boxes.every(({ sent, received }) => received >= sent)
    await untilFound(isAllThere, { limitMs, otherwise: () => new Error('late') }).catch(() => undefined)
    for (const { name, sent, received } of this.#boxes)
      if (received < sent) this.problems.push(`${name}: ${sent} messages were answered 202, ${received} came`)
    this.#isClosed = true
    for (const { wallet } of this.#boxes) wallet.socket?.terminate()
  }

  get counts() {
    const sum = (pick: (box: Box) => number): number =>
      this.#boxes.reduce((total, box) => total + pick(box), 0)
    return { sent: sum(({ sent }) => sent), copies: sum(({ copies }) => copies) }
  }

  #isClosed = false

  async #send(box: Box, signal: AbortSignal): Promise<void> {
    const sealed = sealedMessages(MESSAGE_BYTES)
    while (!signal.aborted) {
      const number = box.sent + 1
      if (!(await this.#insist(box, sealed(number)))) return
      box.sent = number
      await pause(BETWEEN_MESSAGES_MS, undefined, { signal }).catch(() => undefined)
    }
  }

  /** The same until it is answered for good, as every sender does. */
  async #insist({ wallet, name }: Box, envelope: string): Promise<boolean> {
    const startedMs = performance.now()
    for (;;) {
      const status = await wallet.forward(envelope).catch(() => 'no answer' as const)
      if (status === 202) return true
      this.repeated[status] = (this.repeated[status] ?? 0) + 1
      if (typeof status === 'number' && status < 500 && status !== 429) {
        this.problems.push(`${name}: a message was answered ${status}`)
        return false
      }
      if (performance.now() - startedMs > PATIENCE_MS) {
        this.problems.push(`${name}: a message was never answered 202 (last ${status})`)
        return false
      }
      await pause(AGAIN_MS)
    }
  }

  async #receive(box: Box): Promise<void> {
    while (!this.#isClosed) {
      // A node that is gone is no problem: the wallet comes again.
      if (box.manner === 'poll') await this.#poll(box).catch(() => undefined)
      else await this.#listen(box, box.manner).catch(() => undefined)
      await pause(box.manner === 'poll' ? BETWEEN_POLLS_MS : AGAIN_MS)
    }
  }

  async #poll(box: Box): Promise<void> {
    const waiting = await box.wallet.waiting()
    for (const message of waiting) {
      this.#note(box, message.envelope)
      if (box.acknowledged.has(message.id))
        this.problems.push(
          `${box.name}: message ${numberOf(message.envelope)} came after it was acknowledged`,
        )
    }
    if (waiting.length === 0) return
    await box.wallet.acknowledge(waiting)
    for (const { id } of waiting) box.acknowledged.add(id)
  }

  /** Until the socket is gone. */
  async #listen(box: Box, manner: 'implicit' | 'live'): Promise<void> {
    const opening = box.wallet.openSocket(manner, (envelope) => this.#note(box, envelope))
    const limit = pause(OPEN_LIMIT_MS).then(() => Promise.reject(new Error('the socket does not open')))
    try {
      await Promise.race([opening, limit])
      await box.wallet.closed
    } finally {
      limit.catch(() => undefined)
      box.wallet.socket?.terminate()
    }
  }

  #note(box: Box, envelope: string): void {
    const number = numberOf(envelope)
    if (number > box.received + 1)
      this.problems.push(`${box.name}: message ${number} came when ${box.received + 1} was due`)
    if (number <= box.received) box.copies += 1
    box.received = Math.max(box.received, number)
  }
}
