import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StartServer } from '../../../src/http/server/server.ts'
import { errorOf, get, post, RawSocket } from './raw-socket.ts'
import { startTrial, type Trial, type TrialStream } from './trial-service.ts'
import { eventually } from '../../eventually.ts'

const CHUNK = 'x'.repeat(64_000)
/** Far more than the buffers of two sockets hold. */
const CHUNKS_MAX = 2_000

/** The texts of an answer that comes in chunks, and whether its end was there. */
const chunksOf = (unread: string): { readonly text: string; readonly isWhole: boolean } => {
  let rest = unread.slice(unread.indexOf('\r\n\r\n') + 4)
  let text = ''
  for (;;) {
    const size = /^([0-9a-f]+)\r\n/i.exec(rest)
    if (size === null) return { text, isWhole: false }
    const length = Number.parseInt(size[1] ?? '', 16)
    if (length === 0) return { text, isWhole: rest === `${size[0]}\r\n` }
    text += rest.slice(size[0].length, size[0].length + length)
    rest = rest.slice(size[0].length + length).replace(/^\r\n/, '')
  }
}

export const streamingSuite = (start: StartServer): void => {
  describe('with an answer that goes on', () => {
    let trial: Trial
    beforeAll(async () => {
      trial = await startTrial(start)
    })
    afterAll(() => trial.server[Symbol.asyncDispose]())

    const listen = async (path: string, of: Trial = trial) => {
      const socket = await RawSocket.open(of.port)
      const before = of.streams.length
      socket.send(get(path))
      await eventually(() => expect(of.streams[before]?.outlet ?? null).not.toBeNull())
      const stream = of.streams[before] as TrialStream
      return { socket, stream, write: (text: string) => stream.outlet?.write(text) }
    }

    it.each(['/stream', '/stream/later'])('sends each piece of %s when it is written', async (path) => {
      const { socket, stream, write } = await listen(path)
      await eventually(() => expect(chunksOf(socket.unread).text).toBe('data: begun\n\n'))
      const head = socket.unread.slice(0, socket.unread.indexOf('\r\n\r\n')).toLowerCase()
      expect(head).toMatch(/^http\/1.1 200 ok\r\n/)
      for (const line of [
        'content-type: text/event-stream',
        'cache-control: no-store',
        'connection: close',
        'transfer-encoding: chunked',
        'x-request-id: req_',
      ])
        expect(head).toContain(line)
      expect(head).not.toContain('content-length')
      expect(write('data: grüße\n\n')).toBe(true)
      await eventually(() =>
        expect(Buffer.from(chunksOf(socket.unread).text, 'latin1').toString()).toBe(
          'data: begun\n\ndata: grüße\n\n',
        ),
      )
      stream.outlet?.end()
      await eventually(() => expect(chunksOf(socket.unread).isWhole).toBe(true))
      expect([stream.ended, stream.cancelled]).toEqual([1, 0])
      stream.outlet?.end()
      expect(write('too late')).toBe(true)
      expect(stream.ended).toBe(1)
      socket.destroy()
    })

    it.each(['/stream', '/stream/later'])('tells the writer of %s when the caller is gone', async (path) => {
      const { socket, stream } = await listen(path)
      socket.destroy()
      await eventually(() => expect(stream.ended).toBe(1))
      expect(trial.metrics.requests.inFlight).toBe(0)
    })

    it('says when the caller does not read, and when it does again', async () => {
      const { socket, stream, write } = await listen('/stream')
      socket.pause()
      let written = 0
      while (written < CHUNKS_MAX && write(CHUNK) === true) written += 1
      expect(written).toBeLessThan(CHUNKS_MAX)
      expect(stream.drained).toBe(0)
      socket.resume()
      await eventually(() => expect(stream.drained).toBeGreaterThan(0))
      expect(write('data: again\n\n')).toBe(true)
      await eventually(() =>
        expect(
          socket.unread.endsWith('data: again\n\n') || socket.unread.endsWith('data: again\n\n\r\n'),
        ).toBe(true),
      )
      stream.outlet?.end()
      socket.destroy()
    })

    it('cuts a caller off that has not read everything', async () => {
      const { socket, stream, write } = await listen('/stream')
      socket.pause()
      while (write(CHUNK) === true);
      stream.outlet?.end()
      expect(stream.ended).toBe(1)
      socket.resume()
      await socket.closed()
      expect(chunksOf(socket.unread).isWhole).toBe(false)
    })

    it('puts no refusal among its pieces, whatever the caller sends behind its request', async () => {
      const { socket, stream, write } = await listen('/stream')
      socket.send('BLAH\r\n\r\n')
      await eventually(async () => {
        write('data: more\n\n')
        expect(stream.ended === 1 || socket.unread.includes('data: more')).toBe(true)
      })
      socket.destroy()
      expect(socket.unread.split('HTTP/1.1')).toHaveLength(2)
    })

    it.each(['/stream', '/stream/later'])(
      'refuses a body with the request for %s, and closes',
      async (path) => {
        const bodies = [
          'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
          'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
          'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}',
        ]
        const before = trial.streams.length
        for (const body of bodies) {
          const socket = await RawSocket.open(trial.port)
          socket.send(`GET ${path} HTTP/1.1\r\nHost: a\r\n${body}`)
          const answer = await socket.response()
          expect([answer?.status, errorOf(answer), answer?.headers.get('connection')]).toEqual([
            400,
            'invalid_request',
            'close',
          ])
          await socket.closed()
          expect(socket.unread).toBe('')
        }
        const empty = await RawSocket.open(trial.port)
        empty.send(get(path, 'Content-Length: 0\r\n'))
        await eventually(() => expect(chunksOf(empty.unread).text).toBe('data: begun\n\n'))
        empty.destroy()
        expect(trial.streams).toHaveLength(before + 1)
      },
    )

    it.each(['/stream', '/stream/later'])(
      'serves nothing that comes behind a request for %s, and ends it',
      async (path) => {
        const served = () => trial.logged.filter(({ fields }) => fields.route === '/echo').length
        const before = served()
        const at = trial.streams.length
        const together = await RawSocket.open(trial.port)
        together.send(get(path) + post('/echo', '{}'))
        await together.closed()
        const { socket, stream } = await listen(path)
        socket.send(post('/echo', '{}'))
        await socket.closed()
        expect(chunksOf(socket.unread)).toEqual({ text: 'data: begun\n\n', isWhole: false })
        await eventually(() => expect(stream.ended).toBe(1))
        for (const each of trial.streams.slice(at))
          await eventually(() => expect(each.ended + each.cancelled).toBe(1))
        for (const each of [together, socket]) {
          expect(each.unread.split('HTTP/1.1').length).toBeLessThanOrEqual(2)
          each.destroy()
        }
        expect(served()).toBe(before)
        await eventually(() => expect(trial.metrics.requests.inFlight).toBe(0))
      },
    )

    it('begins none for HEAD', async () => {
      const socket = await RawSocket.open(trial.port)
      const before = trial.streams.length
      socket.send('HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n')
      const head = await socket.response({ bodiless: true })
      expect([head?.status, head?.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
      expect(trial.streams[before]).toMatchObject({ outlet: null, cancelled: 1 })
      socket.destroy()
    })

    it('ends all of them when it drains, so that a stop waits for none', async () => {
      const draining = await startTrial(start)
      const streams = [await listen('/stream', draining), await listen('/stream/later', draining)]
      const slow = await listen('/stream', draining)
      slow.socket.pause()
      while (slow.write(CHUNK) === true);
      draining.server.stopAccepting()
      await draining.server.drained()
      for (const { stream } of [...streams, slow]) expect(stream.ended).toBe(1)
      for (const { socket } of streams)
        await eventually(() =>
          expect(chunksOf(socket.unread)).toEqual({ text: 'data: begun\n\n', isWhole: true }),
        )
      await draining.server[Symbol.asyncDispose]()
      for (const { socket } of [...streams, slow]) {
        socket.resume()
        await socket.closed()
      }
    })
  })
}
