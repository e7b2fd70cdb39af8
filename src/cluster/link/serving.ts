import type { LinkHandler } from '../../ports/node-link.ts'
import type { Failure, RequestFrame } from './batch.ts'
import type { LinkCounts } from './link-counts.ts'
import type { LinkSettings } from './link-settings.ts'
import type { Outbox } from './outbox.ts'
import { Places } from './places.ts'
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
  readonly #places: Places
  #isOver = false

  constructor(parts: ServingParts) {
    this.#parts = parts
    this.#places = new Places(parts.settings)
  }

  get running(): number {
    return this.#places.taken
  }

  /** `delayMs` is how long the request was held up on its way. */
  begin({ id, service, body, leftMs: givenMs }: RequestFrame, delayMs: number, nowMs: number): void {
    const { from, handlers, counts } = this.#parts
    const leftMs = givenMs - delayMs
    const handler = handlers.get(service)
    if (leftMs <= 0) return this.#turnAway(id, 'late')
    if (handler === undefined) return this.#turnAway(id, 'unknown_service')
    if (this.#places.lacks(service, body.length) !== null) return this.#turnAway(id, 'overloaded')
    this.#places.take(service, body.length)
    counts.served++
    const untilMs = nowMs + leftMs
    const ended = (answer: Uint8Array | null): void => {
      this.#places.giveBack(service, body.length)
      this.#ended(id, untilMs, answer)
    }
    started(handler, body, from, leftMs).then(ended, () => ended(null))
  }

  /** Answers of handlers that still run go nowhere. */
  over(): void {
    this.#isOver = true
  }

  #ended(id: number, untilMs: number, answer: Uint8Array | null): void {
    const { outbox, runtime, settings, idle } = this.#parts
    // Nobody waits any more for an answer that comes too late.
    if (!this.#isOver && runtime.monotonicMs() <= untilMs) {
      if (answer === null) outbox.push({ is: 'failure', id, why: 'failed' })
      else if (answer.length > settings.bodyBytesMax) outbox.push({ is: 'failure', id, why: 'too_large' })
      else outbox.push({ is: 'answer', id, body: answer })
    }
    if (this.running === 0) idle()
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
