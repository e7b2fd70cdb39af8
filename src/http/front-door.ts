import type { Authenticate, Caller } from './caller.ts'
import { problem, problemReply, retryAfter } from './problem.ts'
import { type CompiledRoute, compileRoute } from './compiled-route.ts'
import type { Route } from './route.ts'
import { createRouter } from './router.ts'
import type { FrontDoor, Reply, RequestHead } from './server.ts'
import { Underway, type UnderwayOptions } from './underway.ts'

export type FrontDoorOptions = UnderwayOptions & {
  readonly routes: readonly Route[]
  /** Null while no route serves anybody but nobody. */
  readonly authenticate: Authenticate | null
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
