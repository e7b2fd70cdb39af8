import type { LinkHandler } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { ArrivalClock } from './arrival-clock.ts'
import { Asking } from './asking.ts'
import { type Batch, type Frame, readBatch } from './batch.ts'
import type { LinkCounts } from './link-counts.ts'
import type { LinkSettings } from './link-settings.ts'
import { batchOrder, Outbox } from './outbox.ts'
import { Serving } from './serving.ts'
import type { ProvedWire } from './wire.ts'

/** Why a connection ended: in good order, or what was wrong with it. */
export type End = 'goodbye' | 'closed' | 'silent' | 'broken' | 'slow' | 'suspended' | 'replaced' | 'revoked'

export type ConnectionParts = {
  readonly proved: ProvedWire
  readonly handlers: ReadonlyMap<string, LinkHandler>
  readonly runtime: Runtime
  readonly settings: LinkSettings
  readonly counts: LinkCounts
  /** The other node will take no more requests on this connection, which may go on for a while. */
  readonly leaving: () => void
  readonly ended: (end: End) => void
}

const LOOKS_PER_HEARTBEAT = 2
/** Less is what clocks are set by all the time. */
const STOOD_STILL_MS = 1_000

/**
 * Requests and answers both ways over one proved connection, from its beginning to its end. A connection that is
 * replaced or let go is retired: both sides say goodbye, finish what is under way, and end it.
 */
export class Connection {
  readonly proved: ProvedWire
  readonly sinceMs: number
  readonly #parts: ConnectionParts
  readonly #outbox: Outbox
  readonly #asking: Asking
  readonly #serving: Serving
  readonly #isNext = batchOrder()
  readonly #arrivals = new ArrivalClock()
  readonly #over = new AbortController()
  /** By how much the wall clock was ahead of the monotonic one. */
  #aheadMs: number
  #saidGoodbye = false
  #heardGoodbye = false
  #isEnding = false
  /** Why this side cut it; what the socket says afterwards is no news. */
  #end: End | null = null

  constructor(parts: ConnectionParts) {
    const { proved, runtime, settings, counts, handlers } = parts
    const { wire, node: from } = proved
    this.proved = proved
    this.#parts = parts
    this.sinceMs = runtime.monotonicMs()
    this.#aheadMs = runtime.now() - this.sinceMs
    // The first batch may be the one that is held up.
    this.#arrivals.delayMs(proved.greeted.sentAtMs, proved.greeted.arrivedAtMs)
    const outbox = new Outbox(wire, () => runtime.monotonicMs(), counts)
    this.#outbox = outbox
    this.#asking = new Asking({ wire, outbox, runtime, settings, counts })
    const idle = (): void => this.#endIfDone()
    this.#serving = new Serving({ from, handlers, outbox, runtime, settings, counts, idle })
  }

  /** Nothing is received before. */
  start(): void {
    const { wire } = this.proved
    wire.listen({
      received: (batch) => this.#received(batch),
      closed: () => this.#closed(this.#end ?? (this.#isEnding ? 'goodbye' : 'closed')),
    })
    void this.#watch()
  }

  get waiting(): number {
    return this.#asking.waiting
  }

  get isOver(): boolean {
    return this.#over.signal.aborted
  }

  async whenOver(): Promise<void> {
    const { signal } = this.#over
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  }

  request(service: string, body: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    return this.#asking.ask(service, body, timeoutMs)
  }

  /** No request goes this way any more; the connection ends when the last answers have come and gone. */
  retire(): void {
    if (this.#saidGoodbye || this.isOver) return
    this.#saidGoodbye = true
    this.#outbox.push({ is: 'goodbye' })
    void this.#parts.runtime
      .sleep(this.#parts.settings.drainMs, this.#over.signal)
      .then(() => this.cut('goodbye'))
      .catch(() => {})
  }

  /** Nobody waits any more for what this side has asked. */
  forgetAsked(): void {
    this.#asking.forget()
  }

  cut(end: End): void {
    if (this.isOver) return
    this.#end ??= end
    this.proved.wire.cut()
    this.#closed(end)
  }

  #received(bytes: Buffer): void {
    if (this.isOver || this.#stoodStill()) return
    const { runtime, settings, counts } = this.#parts
    const { wire } = this.proved
    let batch: Batch
    try {
      batch = readBatch(bytes)
    } catch {
      return this.cut('broken')
    }
    if (!this.#isNext(batch.number)) return this.cut('broken')
    counts.bytesReceived += bytes.length
    const nowMs = runtime.monotonicMs()
    const delayMs = this.#arrivals.delayMs(batch.sentAtMs, nowMs)
    for (const frame of batch.frames) this.#take(frame, delayMs, nowMs)
    if (wire.unsentBytes() > settings.unsentBytesMax) return this.cut('slow')
    this.#endIfDone()
  }

  #take(frame: Frame, delayMs: number, nowMs: number): void {
    switch (frame.is) {
      case 'request':
        return this.#serving.begin(frame, delayMs, nowMs)
      case 'answer':
        return this.#asking.answered(frame.id, frame.body)
      case 'failure':
        return this.#asking.refused(frame.id, frame.why)
      case 'goodbye':
        this.#heardGoodbye = true
        this.#parts.leaving()
        return this.retire()
    }
  }

  /** The side that has nothing left to do ends it; answers that it sent arrive before the end does. */
  #endIfDone(): void {
    if (!this.#saidGoodbye || !this.#heardGoodbye || this.#isEnding || this.isOver) return
    if (this.#asking.waiting > 0 || this.#serving.running > 0) return
    this.#isEnding = true
    this.#outbox.flush()
    this.proved.wire.end()
  }

  /**
   * Sends something at every heartbeat, and looks whether something came. Silence is counted in our own looks, so that a
   * pause of this process is not taken for one of the other: what waited meanwhile is read before the next look.
   */
  async #watch(): Promise<void> {
    const { runtime, settings } = this.#parts
    const { wire } = this.proved
    const lookMs = settings.heartbeatMs / LOOKS_PER_HEARTBEAT
    let received = wire.receivedBytes()
    let sent = this.#outbox.sent
    let silentLooks = 0
    for (let look = 1; ; look++) {
      await runtime.sleep(lookMs, this.#over.signal).catch(() => {})
      if (this.isOver || this.#stoodStill()) return
      const receivedNow = wire.receivedBytes()
      silentLooks = receivedNow === received ? silentLooks + 1 : 0
      received = receivedNow
      if (silentLooks * lookMs >= settings.silentMs) return this.cut('silent')
      if (wire.unsentBytes() > settings.unsentBytesMax) return this.cut('slow')
      if (look % LOOKS_PER_HEARTBEAT !== 0) continue
      if (this.#outbox.sent === sent) this.#outbox.flush()
      sent = this.#outbox.sent
    }
  }

  /**
   * While a machine is suspended its monotonic clock stands still, and what arrived meanwhile looks as if it came in
   * time. A connection does not outlive that; the next one compares the clocks anew. A wall clock that is set forward
   * looks the same, and costs a connection.
   */
  #stoodStill(): boolean {
    const { runtime } = this.#parts
    const aheadMs = runtime.now() - runtime.monotonicMs()
    const jumpedMs = aheadMs - this.#aheadMs
    this.#aheadMs = aheadMs
    if (jumpedMs <= STOOD_STILL_MS) return false
    this.cut('suspended')
    return true
  }

  #closed(end: End): void {
    if (this.isOver) return
    this.#over.abort(OVER)
    this.#serving.over()
    this.#asking.lost()
    this.#outbox.close()
    this.#parts.ended(end)
  }
}

const OVER = new Error('the connection is over')
