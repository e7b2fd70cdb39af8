import type { LinkHandler } from '../../ports/node-link.ts'
import type { Failure, RequestFrame } from './batch.ts'
import type { LinkCounts } from './link-counts.ts'
import type { LinkSettings } from './link-settings.ts'
import type { Outbox } from './outbox.ts'
import type { Runtime } from '../../ports/runtime.ts'

export type ServingParts = {
  /** The proved name of the node that asks. */
  readonly from: string
  readonly handlers: ReadonlyMap<string, LinkHandler>
  readonly outbox: Outbox
  readonly runtime: Runtime
  readonly settings: LinkSettings
  readonly counts: LinkCounts
  /** Called when the last one that was being served is over. */
  readonly idle: () => void
}

/** The requests of the other node on one connection that handlers of this node work at. */
export class Serving {
  readonly #parts: ServingParts
  #running = 0
  #bytes = 0
  #isOver = false

  constructor(parts: ServingParts) {
    this.#parts = parts
  }

  get running(): number {
    return this.#running
  }

  /** `delayMs` is how long the request was held up on its way. */
  begin({ id, service, body, leftMs: givenMs }: RequestFrame, delayMs: number, nowMs: number): void {
    const { from, handlers, settings, counts } = this.#parts
    const leftMs = givenMs - delayMs
    const handler = handlers.get(service)
    if (leftMs <= 0) return this.#turnAway(id, 'late')
    if (handler === undefined) return this.#turnAway(id, 'unknown_service')
    const isFull = this.#bytes > 0 && this.#bytes + body.length > settings.waitingBytesMax
    if (this.#running >= settings.waitingMax || isFull) return this.#turnAway(id, 'overloaded')
    this.#running++
    this.#bytes += body.length
    counts.served++
    const untilMs = nowMs + leftMs
    started(handler, body, from, leftMs).then(
      (answer) => this.#ended(id, body.length, untilMs, answer),
      () => this.#ended(id, body.length, untilMs, null),
    )
  }

  /** Answers of handlers that still run go nowhere. */
  over(): void {
    this.#isOver = true
  }

  #ended(id: number, bytes: number, untilMs: number, answer: Uint8Array | null): void {
    const { outbox, runtime, settings, idle } = this.#parts
    this.#running--
    this.#bytes -= bytes
    // Nobody waits any more for an answer that comes too late.
    if (!this.#isOver && runtime.monotonicMs() <= untilMs) {
      if (answer === null) outbox.push({ is: 'failure', id, why: 'failed' })
      else if (answer.length > settings.bodyBytesMax) outbox.push({ is: 'failure', id, why: 'too_large' })
      else outbox.push({ is: 'answer', id, body: answer })
    }
    if (this.#running === 0) idle()
  }

  #turnAway(id: number, why: Failure): void {
    this.#parts.counts.turnedAway++
    this.#parts.outbox.push({ is: 'failure', id, why })
  }
}

/** A handler that throws at once is one that fails. */
const started = async (
  handler: LinkHandler,
  body: Uint8Array,
  from: string,
  leftMs: number,
): Promise<Uint8Array> => handler(body, from, leftMs)
