import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StartServer } from '../../../src/http/server/server.ts'
import { drainSuite } from './drain-suite.ts'
import { framingSuite } from './framing-suite.ts'
import { headSuite } from './head-suite.ts'
import { type LibraryWays, malformedSuite } from './malformed-suite.ts'
import { errorOf, get, post, RawSocket } from './raw-socket.ts'
import { streamingSuite } from './streaming-suite.ts'
import { startTrial, type Trial } from './trial-service.ts'
import { waitingBodiesSuite } from './waiting-bodies-suite.ts'
import { eventually } from '../../eventually.ts'

/** What every HTTP server of ours must do, seen from the socket. */
export const serverSuite = (name: string, start: StartServer, ways: LibraryWays): void => {
  let trial: Trial
  const ask = async (request: string, bodiless = false) => {
    const socket = await RawSocket.open(trial.port)
    socket.send(request)
    const response = await socket.response({ bodiless })
    socket.destroy()
    return response
  }

  describe(`the ${name} server`, () => {
    beforeAll(async () => {
      trial = await startTrial(start)
    })
    afterAll(() => trial.server[Symbol.asyncDispose]())

    it('answers with type, length and a request id that the log has too', async () => {
      const response = await ask(get('/things/a?q=b'))
      expect(response).toMatchObject({ status: 200, body: '{"id":"a","q":"b","from":"127.0.0.1"}' })
      expect(response?.headers.get('content-type')).toBe('application/json')
      const id = response?.headers.get('x-request-id')
      expect(id).toMatch(/^req_/)
      expect(
        trial.logged.some(({ fields }) => fields.requestId === id && fields.route === '/things/{id}'),
      ).toBe(true)
    })

    it('decodes the path and the query', async () => {
      const response = await ask(get('/things/a%2Fb%20c?q=%C3%BC+%25'))
      expect(JSON.parse(response?.body ?? '')).toMatchObject({ id: 'a/b c', q: 'ü %' })
    })

    it('refuses a path that cannot be decoded', async () => {
      const response = await ask(get('/things/%zz'))
      expect([response?.status, errorOf(response)]).toEqual([400, 'invalid_request'])
    })

    it.each(['/nothing', '/', '/things', '/things/a/b', '//things/a', '/THINGS/a'])(
      'answers 404 at %s',
      async (path) => {
        expect(await ask(get(path))).toMatchObject({
          status: 404,
          body: '{"error":"not_found","reason":"There is nothing at this path."}',
        })
      },
    )

    it('answers 405 with the methods that exist', async () => {
      const response = await ask(get('/echo'))
      expect([response?.status, response?.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
      expect(JSON.parse(response?.body ?? '')).toMatchObject({ error: 'method_not_allowed' })
    })

    it('answers 405 to a method that it never heard of, or refuses it as no HTTP', async () => {
      expect([400, 405]).toContain((await ask('BREW /things/a HTTP/1.1\r\nHost: a\r\n\r\n'))?.status)
    })

    it('answers OPTIONS with what a path allows, and without CORS', async () => {
      const response = await ask(
        'OPTIONS /things/a HTTP/1.1\r\nHost: a\r\nOrigin: https://evil.example\r\n\r\n',
      )
      expect([response?.status, response?.headers.get('allow'), response?.body]).toEqual([
        204,
        'GET, HEAD, OPTIONS',
        '',
      ])
      expect(
        [...(response?.headers.keys() ?? [])].some((header) => header.startsWith('access-control')),
      ).toBe(false)
    })

    it('lets no page of another origin read an answer', async () => {
      for (const path of ['/things/a', '/nothing', '/bug']) {
        const response = await ask(get(path, 'Origin: https://evil.example\r\n'))
        const names = [...(response?.headers.keys() ?? [])]
        expect(names.filter((header) => header.startsWith('access-control'))).toEqual([])
        expect(response?.headers.get('x-content-type-options')).toBe('nosniff')
      }
    })

    it('answers HEAD like GET, without the body', async () => {
      const [head, full] = [
        await ask('HEAD /things/a HTTP/1.1\r\nHost: a\r\n\r\n', true),
        await ask(get('/things/a')),
      ]
      expect([head?.status, head?.headers.get('content-length')]).toEqual([
        200,
        full?.headers.get('content-length'),
      ])
    })

    it('sends nothing after the head of an answer to HEAD, so that the next answer is understood', async () => {
      const socket = await RawSocket.open(trial.port)
      socket.send('HEAD /nothing HTTP/1.1\r\nHost: a\r\n\r\n')
      expect((await socket.response({ bodiless: true }))?.status).toBe(404)
      socket.send(get('/things/a'))
      expect((await socket.response())?.status).toBe(200)
      socket.destroy()
    })

    it('answers an unexpected error with an opaque 500 and keeps the cause out of sight', async () => {
      const response = await ask(get('/bug'))
      expect([response?.status, errorOf(response)]).toEqual([500, 'internal'])
      expect(response?.body).not.toContain('secret')
      const id = response?.headers.get('x-request-id')
      expect(
        trial.logged.some(({ event, fields }) => event === 'http.failed' && fields.requestId === id),
      ).toBe(true)
    })

    it('answers failed infrastructure with 503 and a Retry-After in whole seconds', async () => {
      const response = await ask(get('/away'))
      expect([response?.status, response?.headers.get('retry-after')]).toEqual([503, '2'])
      expect(errorOf(response)).toBe('unavailable')
    })

    it('answers one request after the other on a connection that stays open', async () => {
      const socket = await RawSocket.open(trial.port)
      for (const id of ['a', 'b', 'c']) {
        socket.send(get(`/things/${id}`))
        expect((await socket.response())?.body).toContain(`"id":"${id}"`)
      }
      socket.destroy()
    })

    it('answers requests that come in one packet in their order', async () => {
      const socket = await RawSocket.open(trial.port)
      socket.send(get('/things/a') + post('/echo', '{"b":1}') + get('/things/c'))
      const bodies = [await socket.response(), await socket.response(), await socket.response()].map(
        (response) => response?.body,
      )
      expect([bodies[0]?.includes('"a"'), bodies[1], bodies[2]?.includes('"c"')]).toEqual([
        true,
        '{"b":1}',
        true,
      ])
      socket.destroy()
    })

    it('never mixes answers up when a request comes while one is pending: in order, or closed', async () => {
      const socket = await RawSocket.open(trial.port)
      socket.send(get('/slow') + get('/things/b'))
      await eventually(() => expect(trial.gate.waiting()).toBe(1))
      trial.gate.open()
      const first = await socket.response()
      const second = await socket.response()
      const inOrder = first?.body === '{"slow":true}' && second?.body.includes('"b"') === true
      expect(inOrder || (first === null && second === null)).toBe(true)
      socket.destroy()
    })

    it('sends a large answer whole to a slow reader', { timeout: 40_000 }, async () => {
      const socket = await RawSocket.open(trial.port)
      socket.pause()
      socket.send(get('/large'))
      await eventually(() => expect(trial.logged.at(-1)?.fields.route).toBe('/large'))
      socket.resume()
      expect((await socket.response({ withinMs: 30_000 }))?.body.length).toBe(8_000_002)
      socket.destroy()
    })

    it('outlives a caller that goes away before its answer, and counts it', async () => {
      const socket = await RawSocket.open(trial.port)
      socket.send(get('/slow'))
      await eventually(() => expect(trial.gate.waiting()).toBe(1))
      socket.destroy()
      await eventually(() =>
        expect(trial.logged.at(-1)?.fields).toMatchObject({ route: '/slow', status: 499 }),
      )
      trial.gate.open()
      expect((await ask(get('/things/a')))?.status).toBe(200)
      expect(trial.metrics.requests.inFlight).toBe(0)
    })

    it('outlives a caller that goes away with a body begun behind a pending answer', {
      timeout: 30_000,
    }, async () => {
      const socket = await RawSocket.open(trial.port)
      const begun =
        'POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 20\r\nContent-Type: application/json\r\n\r\n{'
      const before = trial.logged.length
      socket.send(get('/slow') + begun)
      await eventually(() => expect(trial.gate.waiting()).toBe(1))
      socket.destroy()
      await trial.server.drained()
      const lines = trial.logged.slice(before).map(({ fields }) => fields)
      expect(lines.map(({ status }) => status)).toEqual(lines.map(() => 499))
      expect(lines.map(({ route }) => route)).toContain('/slow')
      trial.gate.open()
      await eventually(() => expect(trial.metrics.requests.inFlight).toBe(0))
    })

    it('has the port for itself', async () => {
      await expect(startTrial(start, { port: trial.port })).rejects.toThrow(
        `cannot listen on 127.0.0.1:${trial.port}`,
      )
    })

    framingSuite(() => trial, start)
    headSuite(() => trial)
    waitingBodiesSuite(() => trial, start)
    malformedSuite(() => trial, ways)
    drainSuite(start)
    streamingSuite(start)
  })
}
