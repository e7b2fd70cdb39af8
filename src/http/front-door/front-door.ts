import { chain, type Eventually } from '../../domain/eventually.ts'
import { limits } from '../../domain/limits.ts'
import { AskFailed, isRetryable } from '../../ports/actors.ts'
import type { Log } from '../../telemetry/logger.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { type Authenticate, type Caller, tenantOf } from '../callers/caller.ts'
import type { Admission, RateLimit } from '../callers/rate-limit.ts'
import { type Call, type CompiledRoute, compileRoute } from '../route/compiled-route.ts'
import type { RunOncePerKey } from '../route/idempotency.ts'
import { type Problem, problem, problemReply, refusalReply, retryAfter } from '../route/problem.ts'
import { isForNobodyElse, type Route } from '../route/route.ts'
import { networkOf } from '../server/address.ts'
import type { ClientAddress } from '../server/client-address.ts'
import type { FrontDoor, Refusal, Reply, RequestHead, RequestInProgress } from '../server/server.ts'
import { LargeBodies } from './large-bodies.ts'
import { overloaded, SIGNED_OUT_ONLY, tooManyLarge, unmatched } from './refusals.ts'
import { RequestPlaces } from './request-places.ts'
import { createRouter, type Match } from './router.ts'

export type FrontDoorOptions = {
  readonly routes: readonly Route[]
  /** Served beside the others to requests with the local credential; to all others they do not exist. */
  readonly localRoutes: readonly Route[]
  readonly authenticate: Authenticate
  readonly idempotency: RunOncePerKey
  readonly rateLimit: RateLimit
  readonly clientAddress: ClientAddress
  readonly requestsInFlightMax: number
  readonly log: Log
  readonly metrics: Metrics
  readonly accessLog: boolean
}

export type OpenDoor = FrontDoor & {
  /** When no handler runs any more, those included whose callers have left. */
  readonly finished: () => Promise<void>
}

/** What every request goes through, whichever server read it and whichever route answers it. */
export const createFrontDoor = (options: FrontDoorOptions): OpenDoor => {
  const { routes, localRoutes, idempotency, metrics } = options
  const compiled = routes.map((route) => compileRoute(route, idempotency))
  const compiledLocal = localRoutes.map((route) => compileRoute(route, idempotency))
  const find = createRouter(compiled)
  const findLocally = createRouter([...compiled, ...compiledLocal])
  const places = new RequestPlaces(metrics.requests, options.requestsInFlightMax)
  const door: Door = { ...options, places, largeBodies: new LargeBodies() }
  return {
    accept: (head) => {
      const match = (head.isLocal === true ? findLocally : find)(head.method, head.path)
      return new AcceptedRequest(door, head, match)
    },
    finished: () => places.allFree(),
  }
}

/** What all requests share. */
type Door = Omit<FrontDoorOptions, 'routes' | 'localRoutes'> & {
  readonly places: RequestPlaces
  readonly largeBodies: LargeBodies
}

type Identified = Awaited<ReturnType<Authenticate>>
type Matched = Extract<Match<CompiledRoute>, { is: 'route' }>

const NOBODY: Caller = { kind: 'nobody' }

/** One request from its head to its answer: finds out who calls, counts it, runs its route, times and logs it. */
class AcceptedRequest implements RequestInProgress {
  readonly bodyBytesMax: number
  /** The organisation of the caller, once it is known that it may send a body. */
  tenant: string | null = null
  readonly #door: Door
  readonly #head: RequestHead
  readonly #match: Match<CompiledRoute>
  readonly #startedMs = performance.now()
  /** What is left of the caller's rate, for whatever becomes of the request; null where nothing was counted. */
  #rate: Readonly<Record<string, string>> | null = null
  #hasPlace = false
  #isLogged = false
  #turningAway: Promise<Reply | null> | null = null
  #isCallerAsked = false
  /** The organisation among whose large bodies this one counts. */
  #largeBodyOf: string | null = null

  constructor(door: Door, head: RequestHead, match: Match<CompiledRoute>) {
    this.#door = door
    this.#head = head
    this.#match = match
    this.bodyBytesMax = match.is === 'route' ? match.route.bodyBytesMax : limits.bodyBytesMax
  }

  get strangerFrom(): string | null {
    return isForAnybody(this.#match) ? networkOf(this.#door.clientAddress(this.#head)) : null
  }

  get isLarge(): boolean {
    return this.#largeBodyOf !== null
  }

  get mayStream(): boolean {
    return this.#match.is === 'route' && this.#match.route.answer.isEventStream
  }

  turnAway(bytes: number): Eventually<Reply | null> {
    if (this.#isCallerAsked)
      return this.#closeAfter(this.#hasRoom(this.tenant, bytes) ? null : tooManyLarge())
    this.#isCallerAsked = true
    // What fails here fails again when the body is there, and is answered then.
    try {
      const early = this.#earlyRefusal()
      if (!(early instanceof Promise)) return this.#closeAfter(early)
      this.#turningAway = early.then(
        (it) => this.#closeAfter(it),
        () => null,
      )
      return this.#turningAway
    } catch {
      return null
    }
  }

  respond(body: Uint8Array): Eventually<Reply> {
    if (this.#turningAway === null) return this.#answer(body)
    return this.#turningAway.then((refused) => refused ?? this.#answer(body))
  }

  refuse(refusal: Refusal, reason?: string): Reply {
    return this.#finish(refusalReply(refusal, reason), 0)
  }

  /**
   * The work of a caller that went away goes on and keeps its place: impatient callers would have no bound otherwise.
   */
  aborted(): void {
    this.#logOnce(499, 0, 0)
    if (!this.#hasPlace) this.#freeLargeBody()
  }

  /** What is answered whatever the body says; null where the body is needed. */
  #earlyRefusal(): Eventually<Reply | null> {
    const match = this.#match
    const { places } = this.#door
    if (match.is !== 'route') return unmatched(this.#head, match)
    if (isForAnybody(match)) return null
    if (places.areTaken) return overloaded()
    const refusedFor = (caller: Identified): Eventually<Reply | null> => {
      if ('problem' in caller) return chain(this.#refusalOf(caller), (it) => problemReply(it ?? caller))
      this.tenant = tenantOf(caller)
      return null
    }
    const caller = this.#identify(match.route)
    if (!(caller instanceof Promise)) return refusedFor(caller)
    places.take()
    return caller.then(refusedFor).finally(() => places.free())
  }

  /** The rest of the body may still come, so nothing can follow on this connection. */
  #closeAfter(reply: Reply | null): Reply | null {
    return reply === null ? null : { ...this.#finish(reply, 0), close: true }
  }

  #answer(body: Uint8Array): Eventually<Reply> {
    // Megabytes must not wait with the closures below for their answer.
    const { byteLength } = body
    try {
      const reply = this.#serve(body)
      if (!(reply instanceof Promise)) return this.#finish(reply, byteLength)
      return reply.then(
        (it) => this.#finish(it, byteLength),
        (error: unknown) => this.#finish(this.#failed(error), byteLength),
      )
    } catch (error) {
      return this.#finish(this.#failed(error), byteLength)
    }
  }

  /** Takes a place only now, so a body that comes slowly does not keep other requests from being served. */
  #serve(body: Uint8Array): Eventually<Reply> {
    const match = this.#match
    const { places } = this.#door
    if (places.areTaken && !(match.is === 'route' && match.route.access.isAlwaysServed)) return overloaded()
    places.take()
    this.#hasPlace = true
    if (match.is !== 'route') return unmatched(this.#head, match)
    const caller = this.#identify(match.route)
    return caller instanceof Promise
      ? caller.then((known) => this.#runFor(known, match, body))
      : this.#runFor(caller, match, body)
  }

  /** Stays synchronous where it can: a promise or a closure more would be paid by every request. */
  #runFor(caller: Identified, { route, params }: Matched, body: Uint8Array): Eventually<Reply> {
    if (!('problem' in caller) && !this.#hasRoom(tenantOf(caller), body.byteLength)) return tooManyLarge()
    const refused = this.#refusalOf(caller)
    const call = { head: this.#head, caller: caller as Caller, params, body }
    if (refused instanceof Promise)
      return refused.then((it) => (it === null ? run(route, call) : problemReply(it)))
    return refused === null ? run(route, call) : problemReply(refused)
  }

  /** Whether a body of so many bytes may be: each organisation has a few places for large ones. */
  #hasRoom(tenant: string | null, bytes: number): boolean {
    if (bytes <= limits.bodyBytesMax || tenant === null || this.#largeBodyOf !== null) return true
    if (!this.#door.largeBodies.take(tenant)) return false
    this.#largeBodyOf = tenant
    return true
  }

  #freeLargeBody(): void {
    if (this.#largeBodyOf !== null) this.#door.largeBodies.free(this.#largeBodyOf)
    this.#largeBodyOf = null
  }

  #identify(route: Route): ReturnType<Authenticate> {
    const { authenticate } = this.#door
    const { callers, isBeforeSignIn } = route.access
    if (!isForNobodyElse(route)) return authenticate(this.#head, callers)
    return isBeforeSignIn && this.#head.headers.has('authorization') ? SIGNED_OUT_ONLY : NOBODY
  }

  /** Why the caller is not served, null if it is; a caller who is known and not served here is counted all the same. */
  #refusalOf(caller: Identified): Eventually<Problem | null> {
    const { rateLimit } = this.#door
    const refused = 'problem' in caller ? caller : null
    const counted = 'problem' in caller ? caller.whose : caller
    const admission = counted === undefined ? null : rateLimit(counted)
    return admission instanceof Promise
      ? admission.then((it) => this.#admitted(it, refused))
      : this.#admitted(admission, refused)
  }

  #admitted(admission: Admission | null, refused: Problem | null): Problem | null {
    if (admission?.is === 'refused') return admission.problem
    if (admission !== null) this.#rate = admission.headers
    return refused
  }

  #failed(error: unknown): Reply {
    if (error instanceof AskFailed) {
      const code = error.code === 'overloaded' ? 'overloaded' : 'unavailable'
      return problemReply(
        problem(code, 'The request could not be finished now; try again.', retryAfter(error.retryAfterMs)),
      )
    }
    this.#door.log('http.failed', { requestId: this.#head.id, route: this.#routeName(), error })
    // The key store or the journal itself, which a route has asked without an actor in between.
    if (isRetryable(error))
      return problemReply(
        problem('unavailable', 'The request could not be finished now; try again.', retryAfter(1000)),
      )
    return problemReply(
      problem('internal', 'Something went wrong on our side; quote the X-Request-Id when you report it.'),
    )
  }

  #finish(bare: Reply, bytesIn: number): Reply {
    const reply = this.#rate === null ? bare : { ...bare, rate: this.#rate }
    this.#logOnce(reply.status, bytesIn, Buffer.byteLength(reply.body))
    if (this.#hasPlace) this.#door.places.free()
    this.#hasPlace = false
    this.#freeLargeBody()
    return reply
  }

  #logOnce(status: number, bytesIn: number, bytesOut: number): void {
    if (this.#isLogged) return
    this.#isLogged = true
    const durationMs = performance.now() - this.#startedMs
    const route = this.#routeName()
    this.#door.metrics.requests.answered(route, status, durationMs / 1000)
    if (!this.#door.accessLog) return
    this.#door.log('http.request', {
      requestId: this.#head.id,
      method: this.#match.is === 'route' ? this.#match.route.method : 'other',
      route,
      status,
      durationMs: Math.round(durationMs * 1000) / 1000,
      bytesIn,
      bytesOut,
    })
  }

  #routeName(): string {
    return this.#match.is === 'route' ? this.#match.route.path : 'unknown'
  }
}

const isForAnybody = (match: Match<CompiledRoute>): boolean =>
  match.is !== 'route' || match.route.access.callers.includes('nobody')

/** A viewer changes nothing, whatever the route. */
const run = (route: CompiledRoute, call: Call): Eventually<Reply> => {
  const { caller } = call
  const isViewer = caller.kind === 'member' && caller.role === 'viewer'
  if (isViewer && route.method !== 'GET' && !route.access.isOwnAccount)
    return problemReply(problem('forbidden', 'A viewer may not change anything; ask an administrator.'))
  return route.run(call)
}
