import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { Authenticate, Caller } from '../../../src/http/callers/caller.ts'
import { createFrontDoor, type FrontDoorOptions } from '../../../src/http/front-door/front-door.ts'
import { problem } from '../../../src/http/route/problem.ts'
import { defineRoute, reply } from '../../../src/http/route/route.ts'
import { healthRoute } from '../../../src/http/routes/health.ts'
import type { Reply, RequestHead } from '../../../src/http/server/server.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { plainDoor } from './plain-door.ts'
import { writtenLog } from '../../telemetry/written-log.ts'
import { requestHead } from '../parts/request-head.ts'

const head = (method: string, path: string, headers: Record<string, string> = {}): RequestHead =>
  requestHead(headers, { method, path })

const mine = defineRoute({
  method: 'GET',
  path: '/mine',
  operationId: 'getMine',
  summary: 'Mine',
  access: { callers: ['api_key'] },
  responses: { 200: Type.Object({ tenantId: Type.String() }) },
  errors: [],
  handle: ({ caller }) => reply(200, { tenantId: caller.tenantId }),
})

const withKey: Authenticate = async ({ headers }) =>
  headers.get('authorization') === 'Bearer right'
    ? { kind: 'api_key', tenantId: 't1', keyId: 'k1' }
    : problem('unauthorized', 'The API key is not known.', { 'WWW-Authenticate': 'Bearer' })

const openDoor = (options: Partial<FrontDoorOptions> = {}) => {
  const { log, logged } = writtenLog()
  const metrics = createMetrics()
  const defaults = { ...plainDoor, routes: [mine], authenticate: withKey, requestsInFlightMax: 10 }
  return { door: createFrontDoor({ ...defaults, log, metrics, ...options }), logged, metrics }
}

const NOTHING = new Uint8Array()
const textOf = (answer: Reply): string =>
  typeof answer.body === 'string' ? answer.body : Buffer.from(answer.body).toString()

describe('the front door', () => {
  it('lets those in whom the route serves, and tells it who they are', async () => {
    const { door } = openDoor()
    const answer = await door.accept(head('GET', '/mine', { authorization: 'Bearer right' })).respond(NOTHING)
    expect([answer.status, textOf(answer)]).toEqual([200, '{"tenantId":"t1"}'])
  })

  it('turns others away before anything of the route is done', async () => {
    const { door } = openDoor()
    const answer = await door.accept(head('GET', '/mine')).respond(NOTHING)
    expect([answer.status, answer.headers['WWW-Authenticate']]).toEqual([401, 'Bearer'])
  })

  it('logs the request id and the route, never the path', async () => {
    const { door, logged } = openDoor()
    const answer = await door.accept(head('GET', '/somebody@example.org')).respond(NOTHING)
    expect(answer.status).toBe(404)
    expect(logged).toMatchObject([
      ['http.request', { requestId: 'req_1', route: 'unknown', method: 'other', status: 404 }],
    ])
    expect(JSON.stringify(logged)).not.toContain('somebody')
  })

  it('counts whoever is known and not served here, and refuses them beyond their rate', async () => {
    const known = { kind: 'api_key', tenantId: 't1', keyId: 'k1' } as const
    const forbidden: Authenticate = () => ({ ...problem('forbidden', 'Not for this caller.'), whose: known })
    let left = 1
    const rateLimit: FrontDoorOptions['rateLimit'] = () =>
      left-- > 0
        ? { is: 'admitted', headers: { RateLimit: 'r' } }
        : { is: 'refused', problem: problem('rate_limited', 'Too many.') }
    const { door } = openDoor({ authenticate: forbidden, rateLimit })
    const first = await door.accept(head('GET', '/mine')).respond(NOTHING)
    expect([first.status, first.rate?.['RateLimit']]).toEqual([403, 'r'])
    expect((await door.accept(head('GET', '/mine')).respond(NOTHING)).status).toBe(429)
  })

  it('is finished when no handler runs, those included whose callers have left', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<never>()
    const { door } = openDoor({ authenticate: () => gate })
    const exchange = door.accept(head('GET', '/mine'))
    const answer = exchange.respond(NOTHING)
    exchange.aborted()
    let isFinished = false
    const finished = door.finished().then(() => {
      isFinished = true
    })
    await Promise.resolve()
    expect(isFinished).toBe(false)
    open(problem('unauthorized', 'No.') as never)
    await answer
    await finished
    await door.finished()
  })

  const right = { authorization: 'Bearer right' }

  it('answers 503 beyond its bound and recovers when requests end', async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<Caller>()
    const { door, metrics } = openDoor({ requestsInFlightMax: 1, authenticate: () => gate })
    const pending = door.accept(head('GET', '/mine', right)).respond(NOTHING)
    const refused = await door.accept(head('GET', '/mine', right)).respond(NOTHING)
    expect([refused.status, refused.headers['Retry-After']]).toEqual([503, '1'])
    open({ kind: 'api_key', tenantId: 't1', keyId: 'k1' })
    expect((await pending).status).toBe(200)
    expect((await door.accept(head('GET', '/mine', right)).respond(NOTHING)).status).toBe(200)
    expect(metrics.requests.inFlight).toBe(0)
  })

  it('counts no request whose body is still to come', async () => {
    const { door, metrics } = openDoor({ requestsInFlightMax: 1 })
    for (let waiting = 0; waiting < 5; waiting++) door.accept(head('GET', '/mine', right))
    expect(metrics.requests.inFlight).toBe(0)
    expect((await door.accept(head('GET', '/mine', right)).respond(NOTHING)).status).toBe(200)
  })

  it('tells how things stand also when too many requests are under way', async () => {
    const { door } = openDoor({
      routes: [mine, healthRoute(() => true)],
      requestsInFlightMax: 1,
      authenticate: () => new Promise(() => undefined),
    })
    void door.accept(head('GET', '/mine')).respond(NOTHING)
    expect((await door.accept(head('GET', '/mine')).respond(NOTHING)).status).toBe(503)
    expect(textOf(await door.accept(head('GET', '/v1/health')).respond(NOTHING))).toBe('{"status":"ok"}')
  })

  it('knows before a body is there who will be turned away, and counts them once', async () => {
    const known = { kind: 'api_key', tenantId: 't1', keyId: 'k1' } as const
    const forbidden: Authenticate = () => ({ ...problem('forbidden', 'Not for this caller.'), whose: known })
    let counted = 0
    const rateLimit: FrontDoorOptions['rateLimit'] = () => {
      counted += 1
      return { is: 'admitted', headers: { RateLimit: 'r' } }
    }
    const { door, logged } = openDoor({ authenticate: forbidden, rateLimit })
    const refused = await door.accept(head('GET', '/mine')).turnAway(1)
    expect([refused?.status, refused?.close, refused?.rate?.['RateLimit']]).toEqual([403, true, 'r'])
    expect([counted, logged.length]).toEqual([1, 1])
  })

  it('turns nobody away ahead who may be served, and lets their request be counted later', async () => {
    const { door, logged } = openDoor({ rateLimit: () => expect.unreachable('counted ahead') })
    expect(await door.accept(head('GET', '/mine', right)).turnAway(1)).toBeNull()
    expect(logged).toEqual([])
  })

  it('finds out ahead who sends a body within its bound only', async () => {
    const { door, metrics } = openDoor({
      requestsInFlightMax: 1,
      authenticate: () => new Promise(() => undefined),
    })
    void door.accept(head('GET', '/mine')).turnAway(1)
    expect(metrics.requests.inFlight).toBe(1)
    expect((await door.accept(head('GET', '/mine')).turnAway(1))?.status).toBe(503)
  })

  it('counts a request once, also when its caller goes away after the answer', async () => {
    const { door, logged, metrics } = openDoor()
    const exchange = door.accept(head('GET', '/mine'))
    await exchange.respond(NOTHING)
    exchange.aborted()
    expect(logged).toHaveLength(1)
    expect(metrics.requests.inFlight).toBe(0)
  })

  it.each([
    ['body_too_large', 413, 'payload_too_large'],
    ['body_memory_full', 503, 'overloaded'],
    ['malformed', 400, 'invalid_request'],
  ] as const)('refuses %s with %i and closes', (refusal, status, code) => {
    const answer = openDoor().door.accept(head('POST', '/mine')).refuse(refusal)
    expect([answer.status, answer.close, (JSON.parse(textOf(answer)) as { error: string }).error]).toEqual([
      status,
      true,
      code,
    ])
  })

  it('is silent about requests when the access log is off, but not about failures', async () => {
    const failing: Authenticate = () => {
      throw new Error('x')
    }
    const { door, logged } = openDoor({ accessLog: false, authenticate: failing })
    expect((await door.accept(head('GET', '/mine')).respond(NOTHING)).status).toBe(500)
    expect(logged.map(([event]) => event)).toEqual(['http.failed'])
  })
})
