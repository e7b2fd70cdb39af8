import { AskFailed } from '../../ports/actors.ts'
import { limits } from '../../domain/limits.ts'
import type { Log } from '../../telemetry/logger.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { problem, problemReply, retryAfter } from '../route/problem.ts'
import { refusalReply } from '../route/refusal-reply.ts'
import type { Match } from './router.ts'
import type { Exchange, Refusal, Reply, RequestHead } from '../server/server.ts'

export type UnderwayOptions = {
  readonly log: Log
  readonly metrics: Metrics
  readonly accessLog: boolean
}

/** What the front door does about each request; one for all of them, because a closure per request would cost. */
export type Behind = {
  readonly answer: (underway: Underway, body: Uint8Array) => Reply | Promise<Reply>
  /** The answer to whoever is turned away whatever the body says; null for all others. */
  readonly turnAway: (underway: Underway) => Reply | null | Promise<Reply | null>
  readonly leave: () => void
}

/** One request from its head to its answer: times it, logs it, and turns every error into a documented one. */
export class Underway implements Exchange {
  readonly bodyBytesMax: number
  readonly head: RequestHead
  readonly match: Match
  /** What is left of the caller's rate, for whatever becomes of the request; null where nothing was counted. */
  rate: Readonly<Record<string, string>> | null = null
  /** Set by whoever answers, when the request has got a place among those under way. */
  hasPlace = false
  readonly #options: UnderwayOptions
  readonly #behind: Behind
  readonly #startedMs = performance.now()
  #finished = false
  #turningAway: Promise<Reply | null> | null = null

  constructor(options: UnderwayOptions, head: RequestHead, match: Match, behind: Behind) {
    this.#options = options
    this.head = head
    this.match = match
    this.#behind = behind
    this.bodyBytesMax = match.is === 'route' ? match.route.bodyBytesMax : limits.bodyBytesMax
  }

  get isForAnybody(): boolean {
    return this.match.is !== 'route' || this.match.route.access.callers.includes('nobody')
  }

  get mayStream(): boolean {
    return this.match.is === 'route' && this.match.route.answer.isEventStream
  }

  respond(body: Uint8Array): Reply | Promise<Reply> {
    const turningAway = this.#turningAway
    if (turningAway === null) return this.#run(body)
    return turningAway.then((refused) => refused ?? this.#run(body))
  }

  turnAway(): Reply | null | Promise<Reply | null> {
    // Whatever fails here fails again when the body is there, and is answered then.
    try {
      const refused = this.#behind.turnAway(this)
      if (!(refused instanceof Promise)) return this.#turnedAway(refused)
      this.#turningAway = refused.then(
        (it) => this.#turnedAway(it),
        () => null,
      )
      return this.#turningAway
    } catch {
      return null
    }
  }

  refuse(refusal: Refusal, reason?: string): Reply {
    return this.#finish(refusalReply(refusal, reason), 0)
  }

  /** Whoever goes away leaves their work here: its place is free when that is done, or hurried callers had no bound. */
  aborted(): void {
    this.#end(499, 0, 0)
  }

  #run(body: Uint8Array): Reply | Promise<Reply> {
    try {
      const reply = this.#behind.answer(this, body)
      if (!(reply instanceof Promise)) return this.#finish(reply, body.byteLength)
      return reply.then(
        (it) => this.#finish(it, body.byteLength),
        (error: unknown) => this.#finish(this.#failed(error), body.byteLength),
      )
    } catch (error) {
      return this.#finish(this.#failed(error), body.byteLength)
    }
  }

  /** The rest of the body may still come, so nothing can follow it. */
  #turnedAway(reply: Reply | null): Reply | null {
    return reply === null ? null : { ...this.#finish(reply, 0), close: true }
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
    if (!this.hasPlace) return
    this.hasPlace = false
    this.#behind.leave()
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
      method: this.match.is === 'route' ? this.match.route.method : 'other',
      route,
      status,
      durationMs: Math.round(durationMs * 1000) / 1000,
      bytesIn,
      bytesOut,
    })
  }

  #routeName(): string {
    return this.match.is === 'route' ? this.match.route.path : 'unknown'
  }
}
