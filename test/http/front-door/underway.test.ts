import { describe, expect, it } from 'vitest'
import { AskFailed } from '../../../src/ports/actors.ts'
import type { Reply, RequestHead } from '../../../src/http/server/server.ts'
import { type Behind, Underway } from '../../../src/http/front-door/underway.ts'
import type { LogFields } from '../../../src/telemetry/fields.ts'
import type { Log } from '../../../src/telemetry/logger.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'

const head: RequestHead = {
  id: 'req_1',
  method: 'GET',
  path: '/a',
  query: '',
  headers: new Map(),
  remoteAddress: '',
}
const body = new Uint8Array(3)

const begin = (answer: () => Reply | Promise<Reply>, turnAway: Behind['turnAway'] = () => null) => {
  const logged: [string, LogFields][] = []
  const log: Log = Object.assign(
    (event: string, fields: LogFields = {}) => void logged.push([event, fields]),
    {
      flush: () => undefined,
    },
  )
  let left = 0
  const options = { log, metrics: createMetrics(), accessLog: true }
  const behind: Behind = {
    answer: (underway) => {
      underway.hasPlace = true
      return answer()
    },
    turnAway,
    leave: () => void left++,
  }
  const exchange = new Underway(options, head, { is: 'unknown' }, behind)
  return { exchange, logged, left: () => left }
}

const codeOf = (reply: Reply): string => (JSON.parse(String(reply.body)) as { error: string }).error

describe('a request under way', () => {
  it('is logged with its status and its bytes when it is answered, now or later', async () => {
    for (const answer of [
      () => ({ status: 200, headers: {}, body: 'ü' }),
      async () => ({ status: 200, headers: {}, body: 'ü' }),
    ]) {
      const { exchange, logged, left } = begin(answer)
      await exchange.respond(body)
      expect(logged).toMatchObject([['http.request', { status: 200, bytesIn: 3, bytesOut: 2 }]])
      expect(left()).toBe(1)
    }
  })

  it('tells what is left of the rate, also when it fails', async () => {
    for (const answer of [
      () => ({ status: 200, headers: { A: 'b' }, body: '' }),
      () => {
        throw new Error('x')
      },
      () => Promise.reject(new AskFailed('unavailable', 'away', 1_000)),
    ]) {
      const { exchange } = begin(answer)
      exchange.rate = { RateLimit: 'r' }
      expect((await exchange.respond(body)).rate?.['RateLimit']).toBe('r')
    }
  })

  it('turns a bug into an opaque 500 and logs the error', async () => {
    const bug = () => {
      throw new Error('the secret cause')
    }
    for (const answer of [bug, async () => bug()]) {
      const { exchange, logged } = begin(answer)
      const reply = await exchange.respond(body)
      expect([reply.status, codeOf(reply)]).toEqual([500, 'internal'])
      expect(reply.body).not.toContain('secret')
      expect(logged.map(([event]) => event)).toEqual(['http.failed', 'http.request'])
    }
  })

  it.each([
    ['unavailable', 'unavailable'],
    ['overloaded', 'overloaded'],
    ['not_owner', 'unavailable'],
  ] as const)('turns a failed ask (%s) into a retryable 503 %s', async (code, expected) => {
    const { exchange } = begin(() => Promise.reject(new AskFailed(code, 'x', 2_100)))
    const reply = await exchange.respond(body)
    expect([reply.status, codeOf(reply), reply.headers['Retry-After']]).toEqual([503, expected, '3'])
  })

  it('says why a request is refused, when the server knows', () => {
    const { exchange } = begin(() => ({ status: 200, headers: {}, body: '' }))
    expect(JSON.parse(String(exchange.refuse('malformed', 'the header host is required').body))).toEqual({
      error: 'invalid_request',
      reason: 'The request is refused: the header host is required.',
    })
  })

  it('counts a caller that went away as 499, once, and keeps the place until the work is done', async () => {
    const work = Promise.withResolvers<Reply>()
    const { exchange, logged, left } = begin(() => work.promise)
    const answered = exchange.respond(body)
    exchange.aborted()
    exchange.aborted()
    expect(logged).toMatchObject([['http.request', { status: 499 }]])
    expect(left()).toBe(0)
    work.resolve({ status: 200, headers: {}, body: '' })
    await answered
    expect([logged.length, left()]).toEqual([1, 1])
  })

  it('has no place to give back before its body is there', () => {
    const { exchange, logged, left } = begin(() => ({ status: 200, headers: {}, body: '' }))
    exchange.aborted()
    expect([logged.length, left()]).toEqual([1, 0])
  })

  it.each([
    ['at once', (reply: Reply) => reply],
    ['later', (reply: Reply) => Promise.resolve(reply)],
  ])('is over when its caller is turned away %s, whether its body comes or not', async (_name, when) => {
    let answered = 0
    const { exchange, logged } = begin(
      () => ({ status: 200, headers: {}, body: String(answered++) }),
      () => when({ status: 401, headers: {}, body: '' }),
    )
    const refused = exchange.turnAway()
    expect(await refused).toMatchObject({ status: 401, close: true })
    if (refused instanceof Promise) expect(await exchange.respond(body)).toMatchObject({ status: 401 })
    expect([answered, logged.length]).toEqual([0, 1])
  })

  it('goes on when it cannot be found out ahead who its caller is', async () => {
    for (const fails of [
      () => Promise.reject(new AskFailed('unavailable', 'away', 1_000)),
      () => {
        throw new Error('x')
      },
    ]) {
      const { exchange } = begin(() => ({ status: 200, headers: {}, body: '' }), fails)
      expect(await exchange.turnAway()).toBeNull()
      expect((await exchange.respond(body)).status).toBe(200)
    }
  })
})
