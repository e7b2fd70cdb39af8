import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StartServer } from '../../../../src/http/server/server.ts'
import { eventually } from '../../../eventually.ts'
import { errorOf, RawSocket } from '../raw-socket.ts'
import { callAt, handshake, MAILBOX, startSockets, type TrialSockets } from './trial-sockets.ts'

export const upgradeSuite = (engine: string, start: StartServer): void => {
  describe(`the handshake of a socket, on ${engine}`, () => {
    let trial: TrialSockets
    beforeAll(async () => {
      trial = await startSockets(start)
    })
    afterAll(() => trial.server[Symbol.asyncDispose]())

    const answerTo = async (request: string) => {
      const socket = await RawSocket.open(trial.port)
      socket.send(request)
      const response = await socket.response()
      socket.destroy()
      return response
    }

    it('opens one at the address of all, and at that of a mailbox', async () => {
      const from = trial.talks.length
      const headers = { 'X-Forwarded-For': '192.0.2.7' }
      const callers = [
        await callAt(trial.port, '/didcomm', headers),
        await callAt(trial.port, `/didcomm/${MAILBOX}?x=1`),
      ]
      await eventually(() => expect(trial.talks.length).toBe(from + 2))
      expect(trial.talks.slice(from).map(({ opening }) => opening)).toEqual([
        { address: null, from: '192.0.2.7' },
        { address: MAILBOX, from: '127.0.0.1' },
      ])
      for (const { ws } of callers) ws.terminate()
    })

    it.each([
      ['/didcomm/con_00abcdefgh', 404],
      ['/didcomm/', 404],
      ['/didcomm/mbx_00abcdefgh/more', 404],
      ['/', 404],
      ['/things/a', 200],
      ['/echo', 405],
    ])('is an ordinary request at %s', async (path, status) => {
      expect((await answerTo(handshake(path)))?.status).toBe(status)
    })

    it('leaves a request alone that would rather be answered in another protocol', async () => {
      const asked = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABk' }
      expect((await answerTo(handshake('/things/a', asked)))?.status).toBe(200)
      const body = '{"a":1}'
      const head = handshake('/echo', {
        ...asked,
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
      })
      const answer = await answerTo(head.replace('GET', 'POST') + body)
      expect([answer?.status, answer?.body]).toEqual([200, body])
    })

    it('is an ordinary request where it does not ask for a socket', async () => {
      for (const missing of ['Upgrade', 'Connection', 'Sec-WebSocket-Key'])
        expect((await answerTo(handshake('/didcomm', { [missing]: null })))?.status).toBe(404)
      expect((await answerTo(handshake('/didcomm').replace('GET', 'PUT')))?.status).toBe(404)
    })

    it.each([
      ['a version that is not spoken here', 426, { 'Sec-WebSocket-Version': '8' }],
      ['no version', 426, { 'Sec-WebSocket-Version': null }],
      ['a key that is none', 400, { 'Sec-WebSocket-Key': '!!!!!!!!!!!!!!!!!!!!!!!!' }],
    ])('is refused for %s', async (_, status, headers) => {
      const response = await answerTo(handshake('/didcomm', headers))
      expect([response?.status, errorOf(response)]).toEqual([status, 'invalid_request'])
      expect(response?.headers.get('x-request-id')).toMatch(/^req_/)
      if (status === 426) expect(response?.headers.get('sec-websocket-version')).toBe('13')
    })

    it('is never a socket with a body or a doubled header', async () => {
      const before = trial.server.socketCounts?.opened
      const bodies = [
        [{ 'Content-Length': '3' }, 'abc'],
        [{ 'Transfer-Encoding': 'chunked' }, '3\r\nabc\r\n0\r\n\r\n'],
      ] as const
      for (const [headers, body] of bodies) {
        const socket = await RawSocket.open(trial.port)
        socket.send(handshake('/didcomm', headers) + body)
        expect((await socket.response())?.status).not.toBe(101)
        socket.destroy()
      }
      const doubled = handshake('/didcomm').replace('Host: a', 'Host: a\r\nHost: b')
      expect((await answerTo(doubled))?.status).toBe(400)
      expect(trial.server.socketCounts?.opened).toBe(before)
    })

    it('says yes by the book, and takes neither a protocol nor an extension', async () => {
      const response = await answerTo(
        handshake('/didcomm', {
          'Sec-WebSocket-Protocol': 'didcomm',
          'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits',
        }),
      )
      expect(response?.status).toBe(101)
      expect(response?.headers.get('sec-websocket-accept')).toBe('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=')
      expect(response?.headers.get('sec-websocket-extensions')).toBeUndefined()
      expect(response?.headers.get('sec-websocket-protocol')).toBeUndefined()
    })

    it('that stops in the middle is given up', async () => {
      const socket = await RawSocket.open(trial.port)
      socket.send(handshake('/didcomm').slice(0, -20))
      await expect(socket.closed(30_000)).resolves.toBeUndefined()
    })
  })
}
