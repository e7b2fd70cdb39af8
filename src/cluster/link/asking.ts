import { LinkFailed } from '../../ports/node-link.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { type Failure, SERVICE_CHARACTERS_MAX, wasNotBegun } from './batch.ts'
import type { LinkCounts } from './link-counts.ts'
import type { LinkSettings } from './link-settings.ts'
import type { Outbox } from './outbox.ts'
import { Places } from './places.ts'
import type { Wire } from './wire.ts'

type Waiting = {
  readonly resolve: (body: Uint8Array) => void
  readonly reject: (error: LinkFailed) => void
  readonly deadlineMs: number
  readonly service: string
  readonly bytes: number
  readonly batch: number
}

const LOOK_MS = 20
const IDS = 2 ** 32
const TIMEOUT_MS_MAX = IDS - 1

const sentences: Record<Failure, string> = {
  late: 'the request arrived after its deadline and was not begun',
  overloaded: 'the other node has as many requests of this one as it takes',
  unknown_service: 'the other node has no such service',
  failed: 'the other node failed at the request',
  too_large: 'the answer is larger than a link carries',
}

export type AskingParts = {
  readonly wire: Wire
  readonly outbox: Outbox
  readonly runtime: Runtime
  readonly settings: LinkSettings
  readonly counts: LinkCounts
}

/** The requests of this node on one connection that wait for their answers. Each ends exactly once. */
export class Asking {
  readonly #parts: AskingParts
  readonly #waiting = new Map<number, Waiting>()
  readonly #over = new AbortController()
  readonly #places: Places
  #asked = 0
  #looks = false

  constructor(parts: AskingParts) {
    this.#parts = parts
    this.#places = new Places(parts.settings)
  }

  get waiting(): number {
    return this.#waiting.size
  }

  ask(service: string, body: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const { wire, outbox, runtime, settings, counts } = this.#parts
    counts.requests++
    const reason = this.#reasonAgainst(service, body, timeoutMs)
    if (reason !== null) return Promise.reject(this.#failed(reason, true))
    if (wire.unsentBytes() > settings.waitingBytesMax)
      return Promise.reject(this.#failed('too much waits on its way to the node', true))
    const id = ++this.#asked % IDS
    const leftMs = Math.min(timeoutMs, TIMEOUT_MS_MAX)
    const deadlineMs = runtime.monotonicMs() + leftMs
    return new Promise((resolve, reject) => {
      const batch = outbox.push({ is: 'request', id, leftMs, service, body })
      this.#places.take(service, body.length)
      this.#waiting.set(id, { resolve, reject, deadlineMs, service, bytes: body.length, batch })
      if (!this.#looks) void this.#look()
    })
  }

  answered(id: number, body: Uint8Array): void {
    const waiting = this.#take(id)
    if (waiting === undefined) return
    this.#parts.counts.answers++
    waiting.resolve(body)
  }

  refused(id: number, why: Failure): void {
    this.#take(id)?.reject(this.#failed(sentences[why], wasNotBegun(why)))
  }

  /** The connection is over. The outbox must not be closed before, because it knows what has left. */
  lost(): void {
    this.#over.abort(CONNECTION_OVER)
    for (const [id, { batch }] of this.#waiting)
      this.#take(id)?.reject(
        this.#failed('the connection to the node was lost', !this.#parts.outbox.hasSent(batch)),
      )
  }

  /** This node stops: nobody is there any more who could use an answer. What waits to leave still does. */
  forget(): void {
    for (const id of this.#waiting.keys())
      this.#take(id)?.reject(this.#failed('this node is stopping', false))
  }

  #reasonAgainst(service: string, body: Uint8Array, timeoutMs: number): string | null {
    const { settings } = this.#parts
    if (service.length === 0 || service.length > SERVICE_CHARACTERS_MAX)
      return `a service has a name of 1 to ${SERVICE_CHARACTERS_MAX} characters`
    if (this.#over.signal.aborted) return 'the connection to the node was lost'
    if (!(timeoutMs > 0)) return 'the deadline has passed'
    if (body.length > settings.bodyBytesMax) return `a request has at most ${settings.bodyBytesMax} bytes`
    const lacks = this.#places.lacks(service, body.length)
    return lacks === null ? null : NO_PLACE[lacks]
  }

  /** One pass over all that wait, some fifty times a second, costs less than a timer for each. */
  async #look(): Promise<void> {
    const { runtime } = this.#parts
    this.#looks = true
    while (this.#waiting.size > 0 && !this.#over.signal.aborted) {
      await runtime.sleep(LOOK_MS, this.#over.signal).catch(() => {})
      this.#expire(runtime.monotonicMs())
    }
    this.#looks = false
  }

  #expire(nowMs: number): void {
    for (const [id, { deadlineMs, batch }] of this.#waiting) {
      if (deadlineMs > nowMs) continue
      const notSent = !this.#parts.outbox.hasSent(batch)
      this.#take(id)?.reject(this.#failed('the node did not answer in time', notSent))
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return undefined
    this.#waiting.delete(id)
    this.#places.giveBack(waiting.service, waiting.bytes)
    return waiting
  }

  #failed(reason: string, notSent: boolean): LinkFailed {
    const { counts } = this.#parts
    counts.requestsFailed++
    if (notSent) counts.requestsNotSent++
    return new LinkFailed(reason, notSent)
  }
}

const NO_PLACE = {
  count: 'too many requests wait for the node',
  bytes: 'too many bytes wait for the node',
} as const

/** Created once: without a reason every end would create an error with its stack. */
const CONNECTION_OVER = new Error('the connection is over')
