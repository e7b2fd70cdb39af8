import { AskFailed } from '../actors/ports.ts'
import { limits } from '../domain/limits.ts'
import type { Log } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Authenticate, Caller } from './caller.ts'
import { type Problem, problem, problemReply, retryAfter } from './problem.ts'
import { type CompiledRoute, compileRoute } from './compiled-route.ts'
import type { Route } from './route.ts'
import { createRouter } from './router.ts'
import type { Exchange, FrontDoor, Refusal, Reply, RequestHead } from './server.ts'

export type FrontDoorOptions = {
  readonly routes: readonly Route[]
  /** Null while no route serves anybody but nobody. */
  readonly authenticate: Authenticate | null
  readonly log: Log
  readonly metrics: Metrics
  readonly accessLog: boolean
  readonly requestsInFlightMax: number
}

type Params = Readonly<Record<string, string>>

const NOBODY: Caller = { kind: 'nobody' }
const EMPTY = new Uint8Array()

/** What every request goes through, whichever server read it and whichever route answers it. */
export const createFrontDoor = (options: FrontDoorOptions): FrontDoor => {
  const find = createRouter(options.routes)
  const compiled = new Map(options.routes.map((route) => [route, compileRoute(route)]))
  const { authenticate } = options
  if (
    authenticate === null &&
    options.routes.some((route) => route.caller.some((kind) => kind !== 'nobody'))
  ) {
    throw new Error('a route serves identified callers, but nothing is there to identify them')
  }
  let inFlight = 0
  options.metrics.requestsInFlight.reset()

  const identify = (head: RequestHead, route: Route): ReturnType<Authenticate> => {
    if (authenticate === null || (route.caller.length === 1 && route.caller[0] === 'nobody')) return NOBODY
    return authenticate(head, route.caller)
  }

  /** Stays synchronous where it can: a promise more per request would be paid by every caller. */
  const serve = (head: RequestHead, target: CompiledRoute, params: Params, body: Uint8Array) => {
    const go = (caller: Awaited<ReturnType<Authenticate>>): Reply | Promise<Reply> =>
      'problem' in caller ? problemReply(caller) : target.run({ head, caller, params, body })
    const caller = identify(head, target.route)
    return caller instanceof Promise ? caller.then(go) : go(caller)
  }

  return {
    accept: (head) => {
      const match = find(head.method, head.path)
      const target = match.is === 'route' ? compiled.get(match.route) : undefined
      const answer = (body: Uint8Array): Reply | Promise<Reply> => {
        if (inFlight > options.requestsInFlightMax) {
          return problemReply(
            problem('overloaded', 'Too many requests are under way; try again.', retryAfter(1000)),
          )
        }
        if (target !== undefined && match.is === 'route') return serve(head, target, match.params, body)
        return unmatched(head, match)
      }
      inFlight += 1
      options.metrics.requestsInFlight.inc()
      return new Underway(options, head, target?.route ?? null, answer, () => {
        inFlight -= 1
        options.metrics.requestsInFlight.dec()
      })
    },
  }
}

const unmatched = (head: RequestHead, match: ReturnType<ReturnType<typeof createRouter>>): Reply => {
  if (match.is === 'malformed')
    return problemReply(problem('invalid_request', 'The path has a percent-encoding that cannot be read.'))
  if (match.is !== 'wrong_method') return problemReply(problem('not_found', 'There is nothing at this path.'))
  if (head.method === 'OPTIONS') return { status: 204, headers: { Allow: match.allow }, body: EMPTY }
  return problemReply(
    problem('method_not_allowed', `This path does not answer this method, only ${match.allow}.`, {
      Allow: match.allow,
    }),
  )
}

const refusals: Record<Refusal, { readonly problem: Problem; readonly close: boolean }> = {
  body_too_large: {
    problem: problem('payload_too_large', 'The body is larger than this route accepts.'),
    close: true,
  },
  body_memory_full: {
    problem: problem('overloaded', 'Too many large requests are under way; try again.', retryAfter(1000)),
    close: true,
  },
  malformed: { problem: problem('invalid_request', 'The request is not proper HTTP.'), close: true },
}

/** One request from its head to its answer: times it, logs it, and turns every error into a documented one. */
class Underway implements Exchange {
  readonly bodyBytesMax: number
  readonly #options: FrontDoorOptions
  readonly #head: RequestHead
  readonly #route: Route | null
  readonly #answer: (body: Uint8Array) => Reply | Promise<Reply>
  readonly #leave: () => void
  readonly #startedMs = performance.now()
  #finished = false

  constructor(
    options: FrontDoorOptions,
    head: RequestHead,
    route: Route | null,
    answer: (body: Uint8Array) => Reply | Promise<Reply>,
    leave: () => void,
  ) {
    this.#options = options
    this.#head = head
    this.#route = route
    this.#answer = answer
    this.#leave = leave
    this.bodyBytesMax = route?.bodyBytesMax ?? limits.bodyBytesMax
  }

  respond(body: Uint8Array): Reply | Promise<Reply> {
    try {
      const reply = this.#answer(body)
      if (!(reply instanceof Promise)) return this.#finish(reply, body.byteLength)
      return reply.then(
        (it) => this.#finish(it, body.byteLength),
        (error: unknown) => this.#finish(this.#failed(error), body.byteLength),
      )
    } catch (error) {
      return this.#finish(this.#failed(error), body.byteLength)
    }
  }

  refuse(refusal: Refusal): Reply {
    const { problem: refused, close } = refusals[refusal]
    return this.#finish({ ...problemReply(refused), close }, 0)
  }

  aborted(): void {
    this.#end(499, 0, 0)
  }

  #failed(error: unknown): Reply {
    if (error instanceof AskFailed) {
      const code = error.code === 'overloaded' ? 'overloaded' : 'unavailable'
      return problemReply(
        problem(code, 'The request could not be finished now; try again.', retryAfter(error.retryAfterMs)),
      )
    }
    this.#options.log('http.failed', { requestId: this.#head.id, route: this.#routeName(), error })
    return problemReply(
      problem('internal', 'Something went wrong on our side; quote the X-Request-Id when you report it.'),
    )
  }

  #finish(reply: Reply, bytesIn: number): Reply {
    const bytesOut = typeof reply.body === 'string' ? Buffer.byteLength(reply.body) : reply.body.byteLength
    this.#end(reply.status, bytesIn, bytesOut)
    return {
      ...reply,
      headers: { ...reply.headers, 'X-Request-Id': this.#head.id, 'X-Content-Type-Options': 'nosniff' },
    }
  }

  #end(status: number, bytesIn: number, bytesOut: number): void {
    if (this.#finished) return
    this.#finished = true
    this.#leave()
    const durationMs = performance.now() - this.#startedMs
    const route = this.#routeName()
    this.#options.metrics.requests.inc({ route, status })
    this.#options.metrics.requestSeconds.observe({ route }, durationMs / 1000)
    if (!this.#options.accessLog) return
    this.#options.log('http.request', {
      requestId: this.#head.id,
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
