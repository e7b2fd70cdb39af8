import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
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

    it('gives strangers of one network a part of their half, and those of another theirs', async () => {
      const own = await startTrial(start, { bodyMemoryBytesMax: 16 * limits.envelopeBytesMax })
      const announced = limits.bodyBytesMax
      const send = async (from: string): Promise<RawSocket> => {
        const socket = await RawSocket.open(own.port)
        const headers = `Host: a\r\nX-Forwarded-For: ${from}\r\n${JSON_TYPE}Content-Length: ${announced}\r\n`
        socket.send(`POST /echo HTTP/1.1\r\n${headers}\r\n"${'x'.repeat(announced - 2)}`)
        return socket
      }
      const held = await Promise.all(Array.from({ length: 7 }, (_, index) => send(`2001:db8::${index + 1}`)))
      await eventually(async () => {
        const next = await send('2001:db8::ffff')
        expect((await next.response({ withinMs: 500 }))?.status).toBe(503)
        next.destroy()
      })
      const other = await send('2001:db8:0:1::1')
      for (const socket of [other, ...held]) {
        socket.send('"')
        expect((await socket.response())?.status).toBe(200)
        socket.destroy()
      }
      await own.server[Symbol.asyncDispose]()
    })

    it('takes few large ones of an organisation at once, and each whole', async () => {
      const own = await startTrial(start, { bodyMemoryBytesMax: 100_000_000 })
      const image = `{"image":"${'x'.repeat(1_000_000)}"}`
      const send = async (credential: string, more = ''): Promise<RawSocket> => {
        const socket = await RawSocket.open(own.port)
        const length = image.length
        const headers = `Host: a\r\n${JSON_TYPE}Authorization: Bearer ${credential}\r\nContent-Length: ${length}\r\n${more}`
        socket.send(`POST /image HTTP/1.1\r\n${headers}\r\n`)
        for (let at = 0; at < length - 1; at += 100_000) {
          socket.send(image.slice(at, Math.min(at + 100_000, length - 1)))
          await new Promise(setImmediate)
        }
        return socket
      }
      const many = Array.from({ length: limits.imageBodiesOfTenantMax }, () => send('right later'))
      const held = await Promise.all(many)
      await eventually(async () => {
        const next = await send('right')
        const refused = await next.response({ withinMs: 500 })
        expect([refused?.status, refused?.headers.get('retry-after')]).toEqual([503, '1'])
        await next.closed()
      })
      for (const socket of held) {
        socket.send('}')
        const answer = await socket.response()
        expect([answer?.status, answer?.body]).toEqual([200, '{"image":""}'])
        socket.destroy()
      }
      const last = await send('right')
      last.send('}')
      expect((await last.response())?.status).toBe(200)
      last.destroy()
      await own.server[Symbol.asyncDispose]()
    })

    it('gives an organisation a part of the memory, and charges large bodies as they come', async () => {
      const own = await startTrial(start, { bodyMemoryBytesMax: 4 * limits.imageBodyBytesMax })
      const announce = async (path: string, credential: string, length: number, sent: number) => {
        const socket = await RawSocket.open(own.port)
        const headers = `Host: a\r\n${JSON_TYPE}Authorization: Bearer ${credential}\r\nContent-Length: ${length}\r\n`
        socket.send(`POST ${path} HTTP/1.1\r\n${headers}\r\n"`)
        for (let at = 1; at < sent; at += 65_536) {
          await new Promise(setImmediate)
          socket.send('x'.repeat(Math.min(65_536, sent - at)))
        }
        return socket
      }
      const slow = Array.from({ length: 8 }, (_, index) =>
        announce('/image', `right of t${index}`, limits.imageBodyBytesMax, limits.bodyBytesMax + 100_000),
      )
      const held = await Promise.all(slow)
      const mine = (tenant: string) =>
        announce('/mine', `right of ${tenant}`, limits.bodyBytesMax, limits.bodyBytesMax - 1)
      const most = limits.imageBodyBytesMax / limits.bodyBytesMax
      const ofOne = await Promise.all(Array.from({ length: most }, () => mine('one')))
      await eventually(async () => {
        const next = await mine('one')
        const refused = await next.response({ withinMs: 500 })
        expect([refused?.status, errorOf(refused)]).toEqual([503, 'overloaded'])
        next.destroy()
      })
      for (const socket of [await mine('another'), ...ofOne]) {
        socket.send('"')
        expect((await socket.response())?.status).toBe(200)
        socket.destroy()
      }
      await echoes(own.port)
      for (const socket of held) socket.destroy()
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
