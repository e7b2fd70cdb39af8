import { describe, expect, it } from 'vitest'
import type { StartServer } from '../../../src/http/server/server.ts'
import { errorOf, get, post, RawSocket } from './raw-socket.ts'
import { SMALL_BODY_BYTES, startTrial, type Trial } from './trial-service.ts'
import { eventually } from '../../eventually.ts'

const JSON_TYPE = 'Content-Type: application/json\r\n'
const chunked = (path: string, ...chunks: readonly string[]): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n` +
  `${chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')}0\r\n\r\n`

/** Bodies, their limits, and requests that two servers could read in two ways. */
export const framingSuite = (trial: () => Trial, start: StartServer): void => {
  const open = () => RawSocket.open(trial().port)

  const stillServes = async () => {
    const socket = await open()
    socket.send(get('/things/alive'))
    expect((await socket.response())?.status).toBe(200)
    socket.destroy()
  }

  describe('with bodies', () => {
    it('reads one in pieces, cut anywhere after the request line', async () => {
      const socket = await open()
      const request = post('/echo', '{"text":"äöü"}')
      const lineEnd = request.indexOf('\r\n') + 2
      socket.send(request.slice(0, lineEnd))
      for (const byte of Buffer.from(request.slice(lineEnd), 'utf8')) {
        socket.send(new Uint8Array([byte]))
        await new Promise(setImmediate)
      }
      expect((await socket.response())?.body).toBe('{"text":"äöü"}')
      socket.destroy()
    })

    it('reads a chunked one', async () => {
      const socket = await open()
      socket.send(chunked('/echo', '{"a"', ':1', '}'))
      expect((await socket.response())?.body).toBe('{"a":1}')
      socket.destroy()
    })

    it('tells a caller that asks first to go on', async () => {
      const socket = await open()
      socket.send(
        `POST /echo HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Content-Length: 2\r\nExpect: 100-continue\r\n\r\n`,
      )
      expect((await socket.response())?.status).toBe(100)
      socket.send('{}')
      expect((await socket.response())?.body).toBe('{}')
      socket.destroy()
    })

    it.each([
      ['no JSON', '{"a":', JSON_TYPE, 400, 'invalid_request'],
      ['nothing at all', '', JSON_TYPE, 400, 'invalid_request'],
      ['bytes that are no UTF-8', '"\xff"', JSON_TYPE, 400, 'invalid_request'],
      ['another type', '{}', 'Content-Type: text/plain\r\n', 415, 'unsupported_media_type'],
      [
        'another charset',
        '{}',
        'Content-Type: application/json; charset=latin1\r\n',
        415,
        'unsupported_media_type',
      ],
      ['no type', '{}', '', 415, 'unsupported_media_type'],
      ['a compressed one', '{}', `${JSON_TYPE}Content-Encoding: gzip\r\n`, 415, 'unsupported_media_type'],
    ] as const)('refuses %s', async (_name, body, headers, status, code) => {
      const socket = await open()
      socket.send(`POST /echo HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`)
      const response = await socket.response()
      expect([response?.status, errorOf(response)]).toEqual([status, code])
      socket.destroy()
    })

    it('takes a charset that says UTF-8 in any spelling', async () => {
      const socket = await open()
      socket.send(post('/echo', '{}', 'Content-Type: Application/JSON; charset="UTF-8"\r\n'))
      expect((await socket.response())?.status).toBe(200)
      socket.destroy()
    })

    it('takes the last byte that the route allows and refuses the next, whether announced or not', async () => {
      const [fits, over] = [`"${'x'.repeat(SMALL_BODY_BYTES - 2)}"`, `"${'x'.repeat(SMALL_BODY_BYTES - 1)}"`]
      for (const [request, status] of [
        [post('/small', fits), 200],
        [post('/small', over), 413],
        [chunked('/small', fits), 200],
        [chunked('/small', over.slice(0, 9), over.slice(9)), 413],
      ] as const) {
        const socket = await open()
        socket.send(request)
        const response = await socket.response()
        expect(response?.status).toBe(status)
        socket.destroy()
      }
    })

    it('closes after a body that was too large, because the rest of it may still come', async () => {
      const over = `"${'x'.repeat(SMALL_BODY_BYTES)}"`
      for (const request of [post('/small', over), chunked('/small', over)]) {
        const socket = await open()
        socket.send(request)
        expect(errorOf(await socket.response())).toBe('payload_too_large')
        await socket.closed()
      }
    })

    it('refuses an announced length before the body comes', async () => {
      const socket = await open()
      socket.send(`POST /small HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Content-Length: 100000000\r\n\r\n`)
      expect((await socket.response())?.status).toBe(413)
      await socket.closed()
    })

    it('refuses bodies that together need more memory than there is, and gives it back', async () => {
      const own = await startTrial(start, { bodyMemoryBytesMax: 200_000 })
      const half = `POST /echo HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Content-Length: 80002\r\n\r\n"${'x'.repeat(60_000)}`
      const first = await RawSocket.open(own.port)
      first.send(half)
      const second = await RawSocket.open(own.port)
      await eventually(async () => {
        const third = await RawSocket.open(own.port)
        third.send(half)
        const response = await third.response({ withinMs: 500 })
        expect([response?.status, response?.headers.get('retry-after')]).toEqual([503, '1'])
        third.destroy()
      })
      first.send(`${'x'.repeat(20_000)}"`)
      expect((await first.response())?.status).toBe(200)
      second.send(post('/echo', `"${'x'.repeat(80_000)}"`))
      expect((await second.response())?.status).toBe(200)
      await own.server[Symbol.asyncDispose]()
    })

    it('forgets a body whose caller goes away in the middle', async () => {
      const before = trial().logged.length
      const socket = await open()
      socket.send(`POST /echo HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Content-Length: 1000\r\n\r\n{"a"`)
      await stillServes()
      socket.destroy()
      await eventually(() =>
        expect(
          trial()
            .logged.slice(before)
            .some(({ fields }) => fields.status === 499),
        ).toBe(true),
      )
    })

    it('takes a body that comes slowly, as long as it comes', { timeout: 60_000 }, async () => {
      const socket = await open()
      const piece = 'x'.repeat(20_000)
      const length = 12 * piece.length + 2
      socket.send(`POST /echo HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Content-Length: ${length}\r\n\r\n"`)
      // 20 KB each second, for longer than anything may stand still.
      for (let sent = 0; sent < 12; sent++) {
        socket.send(piece)
        await new Promise((resolve) => setTimeout(resolve, 1_000))
      }
      socket.send('"')
      const response = await socket.response({ withinMs: 10_000 })
      expect([response?.status, response?.body.length]).toEqual([200, length])
    })

    it('cuts off a body that stops coming', { timeout: 40_000 }, async () => {
      const socket = await open()
      socket.send(`POST /echo HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Content-Length: 1000\r\n\r\n{"a"`)
      await expect(socket.closed(30_000)).resolves.toBeUndefined()
    })

    it('cuts off a head that never ends', { timeout: 40_000 }, async () => {
      const socket = await open()
      socket.send('GET /things/a HTTP/1.1\r\nHost: a\r\nX-Slow')
      await expect(socket.closed(30_000)).resolves.toBeUndefined()
    })
  })

  describe('with requests that leave room for doubt', () => {
    it.each([
      ['two different lengths', 'Content-Length: 2\r\nContent-Length: 9\r\n'],
      ['two equal lengths', 'Content-Length: 2\r\nContent-Length: 2\r\n'],
      ['a length and chunks', 'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n'],
      ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n'],
      ['an unknown coding', 'Transfer-Encoding: xchunked\r\n'],
      ['two codings', 'Transfer-Encoding: gzip, chunked\r\n'],
      ['the coding twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n'],
      ['two hosts', 'Host: b\r\nContent-Length: 2\r\n'],
      ['two credentials', 'Authorization: Bearer a\r\nAuthorization: Bearer b\r\nContent-Length: 2\r\n'],
      ['a length with a sign', 'Content-Length: +2\r\n'],
      ['a list of lengths', 'Content-Length: 2, 2\r\n'],
    ])('refuses %s and closes, so that what follows is never read as a request', async (_name, headers) => {
      const before = trial().logged.length
      const socket = await open()
      socket.send(`POST /echo HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}${headers}\r\n{}${get('/things/smuggled')}`)
      const response = await socket.response()
      expect(response?.status ?? 400).toBe(400)
      await socket.closed()
      expect(socket.unread).not.toContain('200 OK')
      expect(
        trial()
          .logged.slice(before)
          .some(({ fields }) => fields.route === '/things/{id}'),
      ).toBe(false)
    })

    it('refuses a request without a host', async () => {
      const socket = await open()
      socket.send('GET /things/a HTTP/1.1\r\nConnection: close\r\n\r\n')
      const response = await socket.response({ withinMs: 15_000 })
      expect(response?.status ?? 400).toBe(400)
      socket.destroy()
    }, 20_000)
  })
}
