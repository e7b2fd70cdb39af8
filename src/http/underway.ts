import { AskFailed } from '../actors/ports.ts'
import { limits } from '../domain/limits.ts'
import type { Log } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { problem, problemReply, retryAfter } from './problem.ts'
import { refusalReply } from './refusal-reply.ts'
import type { Route } from './route.ts'
import type { Exchange, Refusal, Reply, RequestHead } from './server.ts'

export type UnderwayOptions = {
  readonly log: Log
  readonly metrics: Metrics
  readonly accessLog: boolean
}

type Answer = (body: Uint8Array, underway: Underway) => Reply | Promise<Reply>

/** One request from its head to its answer: times it, logs it, and turns every error into a documented one. */
export class Underway implements Exchange {
  readonly bodyBytesMax: number
  readonly #options: UnderwayOptions
  readonly head: RequestHead
  /** What is left of the caller's rate, for whatever becomes of the request; null where nothing was counted. */
  rate: Readonly<Record<string, string>> | null = null
  readonly #route: Route | null
  readonly #answer: Answer
  readonly #leave: () => void
  readonly #startedMs = performance.now()
  #finished = false
  #isRunning = false
  #hasLeft = false

  constructor(
    options: UnderwayOptions,
    head: RequestHead,
    route: Route | null,
    answer: Answer,
    leave: () => void,
  ) {
    this.#options = options
    this.head = head
    this.#route = route
    this.#answer = answer
    this.#leave = leave
    this.bodyBytesMax = route?.bodyBytesMax ?? limits.bodyBytesMax
  }

  get mayStream(): boolean {
    return this.#route?.isEventStream === true
  }

  respond(body: Uint8Array): Reply | Promise<Reply> {
    this.#isRunning = true
    try {
      const reply = this.#answer(body, this)
      if (!(reply instanceof Promise)) return this.#finish(reply, body.byteLength)
      return reply.then(
        (it) => this.#finish(it, body.byteLength),
        (error: unknown) => this.#finish(this.#failed(error), body.byteLength),
      )
    } catch (error) {
      return this.#finish(this.#failed(error), body.byteLength)
    }
  }

  refuse(refusal: Refusal, reason?: string): Reply {
    return this.#finish(refusalReply(refusal, reason), 0)
  }

  /** Whoever goes away leaves their work here: its place is free when that is done, or hurried callers had no bound. */
  aborted(): void {
    this.#end(499, 0, 0)
    if (!this.#isRunning) this.#makeRoom()
  }

  #failed(error: unknown): Reply {
    if (error instanceof AskFailed) {
      const code = error.code === 'overloaded' ? 'overloaded' : 'unavailable'
      return problemReply(
        problem(code, 'The request could not be finished now; try again.', retryAfter(error.retryAfterMs)),
      )
    }
    this.#options.log('http.failed', { requestId: this.head.id, route: this.#routeName(), error })
    return problemReply(
      problem('internal', 'Something went wrong on our side; quote the X-Request-Id when you report it.'),
    )
  }

  #finish(bare: Reply, bytesIn: number): Reply {
    const reply = this.rate === null ? bare : { ...bare, rate: this.rate }
    const bytesOut = typeof reply.body === 'string' ? Buffer.byteLength(reply.body) : reply.body.byteLength
    this.#end(reply.status, bytesIn, bytesOut)
    this.#makeRoom()
    return reply
  }

  #makeRoom(): void {
    if (this.#hasLeft) return
    this.#hasLeft = true
    this.#leave()
  }

  #end(status: number, bytesIn: number, bytesOut: number): void {
    if (this.#finished) return
    this.#finished = true
    const durationMs = performance.now() - this.#startedMs
    const route = this.#routeName()
    this.#options.metrics.requests.answered(route, status, durationMs / 1000)
    if (!this.#options.accessLog) return
    this.#options.log('http.request', {
      requestId: this.head.id,
      method: this.#route?.method ?? 'other',
      route,
      status,
      durationMs: Math.round(durationMs * 1000) / 1000,
      bytesIn,
      bytesOut,
    })
  }

  #routeName(): string {
    return this.#route?.path ?? 'unknown'
  }
}
