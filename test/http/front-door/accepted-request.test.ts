import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { Authenticate } from '../../../src/http/callers/caller.ts'
import { createFrontDoor } from '../../../src/http/front-door/front-door.ts'
import { problem } from '../../../src/http/route/problem.ts'
import { type AnyOutcome, defineRoute, reply } from '../../../src/http/route/route.ts'
import type { Reply } from '../../../src/http/server/server.ts'
import { AskFailed } from '../../../src/ports/actors.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { plainDoor } from './plain-door.ts'
import { writtenLog } from '../../telemetry/written-log.ts'
import { requestHead } from '../parts/request-head.ts'

const body = new Uint8Array(3)
const CALLER = { kind: 'api_key', tenantId: 't', keyId: 'k' } as const

const begin = (handle: () => AnyOutcome | Promise<AnyOutcome>, authenticate: Authenticate = () => CALLER) => {
  const { log, logged } = writtenLog()
  const route = defineRoute({
    method: 'GET',
    path: '/a',
    operationId: 'a',
    summary: 'a',
    access: { callers: ['api_key'] },
    responses: { 200: Type.Unknown() },
    errors: [],
    handle: () => reply(200, null),
  })
  const metrics = createMetrics()
  const door = createFrontDoor({
    ...plainDoor,
    routes: [{ ...route, handle }],
    authenticate,
    rateLimit: () => ({ is: 'admitted', headers: { RateLimit: 'r' } }),
    requestsInFlightMax: 10,
    log,
    metrics,
  })
  return {
    request: door.accept(requestHead({}, { path: '/a' })),
    logged,
    inProgress: () => metrics.requests.inFlight,
  }
}

const codeOf = (answer: Reply): string => (JSON.parse(String(answer.body)) as { error: string }).error

describe('a request in progress', () => {
  it('is logged with its status and its bytes when it is answered, now or later', async () => {
    for (const handle of [() => reply(200, 'ü'), async () => reply(200, 'ü')]) {
      const { request, logged, inProgress } = begin(handle)
      await request.respond(body)
      expect(logged).toMatchObject([['http.request', { status: 200, bytesIn: 3, bytesOut: 4 }]])
      expect(inProgress()).toBe(0)
    }
  })

  it('tells what is left of the rate, also when it fails', async () => {
    for (const handle of [
      () => reply(200, ''),
      () => {
        throw new Error('x')
      },
      () => Promise.reject(new AskFailed('unavailable', 'away', 1_000)),
    ])
      expect((await begin(handle).request.respond(body)).rate?.['RateLimit']).toBe('r')
  })

  it('turns a bug into an opaque 500 and logs the error', async () => {
    const bug = () => {
      throw new Error('the secret cause')
    }
    for (const handle of [bug, async () => bug()]) {
      const { request, logged } = begin(handle)
      const answer = await request.respond(body)
      expect([answer.status, codeOf(answer)]).toEqual([500, 'internal'])
      expect(answer.body).not.toContain('secret')
      expect(logged.map(([event]) => event)).toEqual(['http.failed', 'http.request'])
    }
  })

  it.each([
    ['unavailable', 'unavailable'],
    ['overloaded', 'overloaded'],
    ['not_owner', 'unavailable'],
  ] as const)('turns a failed ask (%s) into a retryable 503 %s', async (code, expected) => {
    const { request } = begin(() => Promise.reject(new AskFailed(code, 'x', 2_100)))
    const answer = await request.respond(body)
    expect([answer.status, codeOf(answer), answer.headers['Retry-After']]).toEqual([503, expected, '3'])
  })

  it('counts a caller that went away as 499, once, and keeps the place until the work is done', async () => {
    const work = Promise.withResolvers<AnyOutcome>()
    const { request, logged, inProgress } = begin(() => work.promise)
    const answered = request.respond(body)
    request.aborted()
    request.aborted()
    expect(logged).toMatchObject([['http.request', { status: 499 }]])
    expect(inProgress()).toBe(1)
    work.resolve(reply(200, ''))
    await answered
    expect([logged.length, inProgress()]).toEqual([1, 0])
  })

  it('has no place to give back before its body is there', () => {
    const { request, logged, inProgress } = begin(() => reply(200, ''))
    request.aborted()
    expect([logged.length, inProgress()]).toEqual([1, 0])
  })

  it.each([
    ['at once', (): ReturnType<Authenticate> => problem('unauthorized', 'No.')],
    ['later', async () => problem('unauthorized', 'No.')],
  ])(
    'is over when its caller is turned away %s, whether its body comes or not',
    async (_name, authenticate) => {
      let handled = 0
      const { request, logged } = begin(() => reply(200, handled++), authenticate)
      const refused = request.turnAway(1)
      expect(await refused).toMatchObject({ status: 401, close: true })
      if (refused instanceof Promise) expect(await request.respond(body)).toMatchObject({ status: 401 })
      expect([handled, logged.length]).toEqual([0, 1])
    },
  )

  it('goes on when it cannot be found out ahead who its caller is', async () => {
    for (const fails of [
      () => Promise.reject(new AskFailed('unavailable', 'away', 1_000)),
      () => {
        throw new Error('x')
      },
    ]) {
      let isAhead = true
      const { request } = begin(
        () => reply(200, ''),
        () => (isAhead ? fails() : CALLER),
      )
      expect(await request.turnAway(1)).toBeNull()
      isAhead = false
      expect((await request.respond(body)).status).toBe(200)
    }
  })
})
