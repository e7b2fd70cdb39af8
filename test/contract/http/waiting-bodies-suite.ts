import { describe, expect, it } from 'vitest'
import type { StartServer } from '../../../src/http/server/server.ts'
import { errorOf, get, post, RawSocket } from './raw-socket.ts'
import { startTrial, type Trial } from './trial-service.ts'
import { eventually } from '../../eventually.ts'

const BODY_BYTES = 60_000
const JSON_TYPE = 'Content-Type: application/json\r\n'
const KEYS = [
  ['at once', ''],
  ['by a look-up', ' later'],
] as const
const headTo = (path: string, credential: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${JSON_TYPE}Authorization: Bearer ${credential}\r\nContent-Length: ${BODY_BYTES}\r\n\r\n`

/** Bodies that are on their way, of callers who may send them and of others. */
export const waitingBodiesSuite = (trial: () => Trial, start: StartServer): void => {
  const begin = async (port: number, path: string, credential: string, sent: string): Promise<RawSocket> => {
    const socket = await RawSocket.open(port)
    socket.send(headTo(path, credential))
    socket.send(sent)
    return socket
  }
  const echoes = async (port: number): Promise<void> => {
    const socket = await RawSocket.open(port)
    socket.send(post('/mine', '{}', `${JSON_TYPE}Authorization: Bearer right\r\n`))
    expect((await socket.response())?.status).toBe(200)
    socket.destroy()
  }

  describe('with bodies that are on their way', () => {
    it.each(KEYS)(
      'turns away whoever may not send it before it is there, found out %s',
      async (_name, when) => {
        const socket = await begin(trial().port, '/mine', `wrong${when}`, '"')
        const response = await socket.response()
        expect([response?.status, errorOf(response)]).toEqual([401, 'unauthorized'])
        await socket.closed()
      },
    )

    it.each(KEYS)('reads on where the credential is good, found out %s', async (_name, when) => {
      const socket = await begin(trial().port, '/mine', `right${when}`, '"')
      await new Promise(setImmediate)
      socket.send(`${'x'.repeat(BODY_BYTES - 2)}"`)
      const response = await socket.response()
      expect([response?.status, response?.body.length]).toEqual([200, BODY_BYTES])
      socket.destroy()
    })

    it.each(['right', 'wrong'])(
      'serves nothing unanswered behind a whole body whose %s credential is still looked up',
      async (credential) => {
        const { gate, logged, port } = trial()
        const before = logged.length
        const socket = await begin(port, '/mine', `${credential} held`, '"')
        await eventually(() => expect(gate.waiting()).toBe(1))
        socket.send(`${'x'.repeat(BODY_BYTES - 2)}"${post('/echo', '{"behind":1}')}`)
        // Either the one behind is served, or the connection is dropped.
        await eventually(() => expect(logged.length).toBeGreaterThan(before))
        gate.open()
        const [first, second] = [await socket.response(), await socket.response()]
        const served = logged.slice(before).filter(({ fields }) => fields.route === '/echo')
        expect([first, second].map((answer) => answer?.status)).toEqual(
          served.length > 0 ? [credential === 'right' ? 200 : 401, 200] : [undefined, undefined],
        )
        socket.destroy()
      },
    )

    it('leaves the connection open where the whole body came at once', async () => {
      const socket = await RawSocket.open(trial().port)
      socket.send(post('/mine', '{}'))
      expect((await socket.response())?.status).toBe(401)
      socket.send(get('/things/a'))
      expect((await socket.response())?.status).toBe(200)
      socket.destroy()
    })

    it('answers at once where nothing is at the path', async () => {
      const socket = await begin(trial().port, '/nothing', 'right', '"')
      expect((await socket.response())?.status).toBe(404)
      await socket.closed()
    })

    it('gives no memory to callers without a credential, and no more than half to those who need none', async () => {
      const own = await startTrial(start, { bodyMemoryBytesMax: 2 * BODY_BYTES + 1_000 })
      const turnedAway = await Promise.all(
        Array.from({ length: 5 }, () => begin(own.port, '/mine', 'wrong', `"${'x'.repeat(BODY_BYTES / 2)}`)),
      )
      for (const socket of turnedAway) await socket.closed()
      const anybodys = await begin(own.port, '/echo', 'none', `"${'x'.repeat(BODY_BYTES - 2)}`)
      await eventually(async () => {
        const next = await begin(own.port, '/echo', 'none', `"${'x'.repeat(10_000)}`)
        expect((await next.response({ withinMs: 500 }))?.status).toBe(503)
        next.destroy()
      })
      const known = await begin(own.port, '/mine', 'right', `"${'x'.repeat(BODY_BYTES - 2)}`)
      await echoes(own.port)
      for (const socket of [anybodys, known]) {
        socket.send('"')
        expect((await socket.response())?.status).toBe(200)
        socket.destroy()
      }
      await own.server[Symbol.asyncDispose]()
    })

    it('keeps no place among the requests under way for them', async () => {
      const own = await startTrial(start, {}, 2)
      const slow = await Promise.all(Array.from({ length: 5 }, () => begin(own.port, '/echo', 'none', '"')))
      await echoes(own.port)
      expect(own.metrics.requests.inFlight).toBe(0)
      for (const socket of slow) socket.destroy()
      await own.server[Symbol.asyncDispose]()
    })
  })
}
