import type { Authenticate, Caller } from '../callers/caller.ts'
import { type Problem, problem, problemReply, retryAfter } from '../route/problem.ts'
import { type Call, type CompiledRoute, compileRoute } from '../route/compiled-route.ts'
import { InFlight } from './in-flight.ts'
import type { Admission, RateLimit } from '../callers/rate-limit.ts'
import { isAnsweredAgain, type RunOncePerKey } from '../route/idempotency.ts'
import type { Route } from '../route/route.ts'
import { type Match, createRouter } from './router.ts'
import type { FrontDoor, Reply, RequestHead } from '../server/server.ts'
import { type Behind, Underway, type UnderwayOptions } from './underway.ts'

export type FrontDoorOptions = UnderwayOptions & {
  readonly routes: readonly Route[]
  /** Null while no route serves anybody but nobody. */
  readonly authenticate: Authenticate | null
  /** Null while no route answers an Idempotency-Key again. */
  readonly idempotency?: RunOncePerKey | null
  /** Null while no caller has a rate. */
  readonly rateLimit?: RateLimit | null
  readonly requestsInFlightMax: number
}

export type OpenDoor = FrontDoor & {
  /** When no handler runs any more, those included whose callers have left. */
  readonly finished: () => Promise<void>
}

type Identified = Awaited<ReturnType<Authenticate>>
type Params = Readonly<Record<string, string>>

const NOBODY: Caller = { kind: 'nobody' }
const NO_STRANGER = problem(
  'forbidden',
  'This is for the console; API keys and wallet tokens may not do this.',
)
const NO_PARAMS: Params = {}
const EMPTY = new Uint8Array()

/** Who calls, whether they are within their rate, and what the route says to them. */
const serving = ({ authenticate, rateLimit = null }: FrontDoorOptions) => {
  const identify = (head: RequestHead, route: Route): ReturnType<Authenticate> => {
    if (authenticate === null || route.access.callers.every((kind) => kind === 'nobody'))
      return route.access.isBeforeSignIn && head.headers.has('authorization') ? NO_STRANGER : NOBODY
    return authenticate(head, route.access.callers)
  }

  /** Stays synchronous where it can: a promise more per request would be paid by every caller. */
  const serve = (
    underway: Underway,
    target: CompiledRoute,
    params: Params,
    body: Uint8Array,
    known?: Identified,
  ): Reply | Promise<Reply> => {
    const { head } = underway
    const admitted = (caller: Caller | Problem, admission: Admission | null): Reply | Promise<Reply> => {
      if (admission?.is === 'refused') return problemReply(admission.problem)
      if (admission !== null) underway.rate = admission.headers
      return 'problem' in caller ? problemReply(caller) : runFor(target, { head, caller, params, body })
    }
    const go = (caller: Identified): Reply | Promise<Reply> => {
      // Whoever is known and not served here is counted all the same.
      const counted = 'problem' in caller ? caller.whose : caller
      if (counted === undefined || rateLimit === null) return admitted(caller, null)
      const admission = rateLimit(counted)
      return admission instanceof Promise
        ? admission.then((it) => admitted(caller, it))
        : admitted(caller, admission)
    }
    const caller = known ?? identify(head, target.route)
    return caller instanceof Promise ? caller.then(go) : go(caller)
  }
  return { identify, serve }
}

/** What every request goes through, whichever server read it and whichever route answers it. */
export const createFrontDoor = (options: FrontDoorOptions): OpenDoor => {
  const { authenticate, idempotency = null } = options
  const find = createRouter(options.routes)
  const compiled = new Map(options.routes.map((route) => [route, compileRoute(route, idempotency)]))
  if (
    authenticate === null &&
    options.routes.some((route) => route.access.callers.some((kind) => kind !== 'nobody'))
  ) {
    throw new Error('a route serves identified callers, but nothing is there to identify them')
  }
  if (idempotency === null && options.routes.some((route) => isAnsweredAgain(route.idempotency)))
    throw new Error('a route takes an Idempotency-Key, but nothing is there to remember it')
  const { requests } = options.metrics
  requests.inFlight = 0
  const running = new InFlight()

  const { identify, serve } = serving(options)
  const isFull = (): boolean => requests.inFlight >= options.requestsInFlightMax
  const enter = (): void => {
    requests.inFlight += 1
    running.enter()
  }
  const leave = (): void => {
    requests.inFlight -= 1
    running.leave()
  }

  /** Takes a place only now: a body that comes slowly keeps nobody else from being served. */
  const answer = (underway: Underway, body: Uint8Array): Reply | Promise<Reply> => {
    const { head, match } = underway
    const target = match.is === 'route' ? compiled.get(match.route) : undefined
    if (isFull() && target?.route.access.isAlwaysServed !== true) return overloaded()
    enter()
    underway.hasPlace = true
    if (target !== undefined && match.is === 'route') return serve(underway, target, match.params, body)
    return unmatched(head, match)
  }

  const turnAway = (underway: Underway): Reply | null | Promise<Reply | null> => {
    const { head, match } = underway
    const target = match.is === 'route' ? compiled.get(match.route) : undefined
    if (target === undefined) return unmatched(head, match)
    if (underway.isForAnybody) return null
    if (isFull()) return overloaded()
    const judged = (caller: Identified) =>
      'problem' in caller ? serve(underway, target, NO_PARAMS, EMPTY, caller) : null
    const caller = identify(head, target.route)
    if (!(caller instanceof Promise)) return judged(caller)
    enter()
    return caller.then(judged).finally(leave)
  }

  const behind: Behind = { answer, turnAway, leave }
  return {
    accept: (head) => new Underway(options, head, find(head.method, head.path), behind),
    finished: () => running.none(),
  }
}

const overloaded = (): Reply =>
  problemReply(problem('overloaded', 'Too many requests are under way; try again.', retryAfter(1000)))

/** Whoever may only look changes nothing, whatever the route. */
const runFor = (target: CompiledRoute, call: Call): Reply | Promise<Reply> => {
  const { caller } = call
  const { method, access } = target.route
  if (caller.kind === 'member' && caller.role === 'viewer' && method !== 'GET' && !access.isOwnAccount)
    return problemReply(problem('forbidden', 'A viewer may not change anything; ask an administrator.'))
  return target.run(call)
}

const unmatched = (head: RequestHead, match: Match): Reply => {
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
