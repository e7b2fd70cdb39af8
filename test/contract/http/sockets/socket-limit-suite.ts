import { afterEach, describe, expect, it } from 'vitest'
import type { StartServer } from '../../../../src/http/server/server.ts'
import type { SocketSettings } from '../../../../src/http/server/sockets/settings.ts'
import { eventually } from '../../../eventually.ts'
import { errorOf, RawSocket } from '../raw-socket.ts'
import {
  callAt,
  frame,
  handshake,
  MAILBOX,
  OPCODE,
  startSockets,
  type Talk,
  type TrialSockets,
} from './trial-sockets.ts'

const PATH = `/didcomm/${MAILBOX}`
/** Rounds that a test can wait for. */
const QUICK = { roundMs: 100, partsOfRound: 2 }
/** Of silence, of showing oneself and of reading nothing may be as much as there is. */
const PATIENT = { roundsToPing: 1e6, roundsToSilence: 1e6, roundsToShow: 1e6, roundsToRead: 1e6 }

export const socketLimitSuite = (engine: string, start: StartServer): void => {
  describe(`what bounds sockets, on ${engine}`, () => {
    let trial: TrialSockets | null = null
    afterEach(() => trial?.server[Symbol.asyncDispose]())

    const startWith = async (settings: Partial<SocketSettings>, bodyMemoryBytesMax?: number) => {
      const started = await startSockets(start, settings, bodyMemoryBytesMax)
      trial = started
      return started
    }
    const lastTalk = ({ talks }: TrialSockets): Talk => {
      const talk = talks.at(-1)
      if (talk === undefined) throw new Error('no socket')
      return talk
    }
    const openRaw = async ({ port }: TrialSockets) => {
      const socket = await RawSocket.open(port)
      socket.send(handshake(PATH))
      expect((await socket.response())?.status).toBe(101)
      return socket
    }
    const statusAt = async (port: number, headers: Record<string, string> = {}) => {
      const socket = await RawSocket.open(port)
      socket.send(handshake(PATH, headers))
      const response = await socket.response()
      socket.destroy()
      return response
    }

    it('are so many of a node', async () => {
      const { port } = await startWith({ socketsMax: 2 })
      const callers = [await callAt(port, PATH), await callAt(port, PATH)]
      const refused = await statusAt(port)
      expect([refused?.status, errorOf(refused), refused?.headers.get('retry-after')]).toEqual([
        503,
        'overloaded',
        '5',
      ])
      callers[0]?.ws.terminate()
      await eventually(async () => expect((await statusAt(port))?.status).toBe(101))
    })

    it('are so many of one network', async () => {
      const { port } = await startWith({ socketsOfNetworkMax: 1 })
      const headers = { 'X-Forwarded-For': '2001:db8:0:1::1' }
      const { ws } = await callAt(port, PATH, headers)
      const refused = await statusAt(port, { 'X-Forwarded-For': '2001:db8:0:1::2' })
      expect([refused?.status, errorOf(refused)]).toEqual([429, 'rate_limited'])
      expect((await statusAt(port, { 'X-Forwarded-For': '2001:db8:0:2::1' }))?.status).toBe(101)
      ws.terminate()
      await eventually(async () => expect((await statusAt(port, headers))?.status).toBe(101))
    })

    const from = (address: string) => ({ 'X-Forwarded-For': address })

    it('are so many of one network that have not shown who is there', async () => {
      const sockets = await startWith({ strangersOfNetworkMax: 2 })
      sockets.onOpen = () => undefined
      sockets.onMessage = ({ socket }) => socket.keep()
      const { port } = sockets
      const first = await callAt(port, PATH, from('192.0.2.1'))
      const second = await callAt(port, PATH, from('192.0.2.1'))
      expect((await statusAt(port, from('192.0.2.1')))?.status).toBe(429)
      first.ws.send('it is me')
      await eventually(async () => expect((await statusAt(port, from('192.0.2.1')))?.status).toBe(101))
      second.ws.terminate()
      await eventually(async () => expect((await statusAt(port, from('192.0.2.1')))?.status).toBe(101))
    })

    it('are so many of a node that have not, and whoever has most of them makes room for others', async () => {
      const sockets = await startWith({ strangersMax: 3, strangersOfNetworkMax: 2 })
      sockets.onOpen = () => undefined
      sockets.onMessage = ({ socket }) => socket.keep()
      const { port } = sockets
      const squatter = from('2001:db8:2:100::1')
      const [oldest, phone, younger] = [
        await callAt(port, PATH, squatter),
        await callAt(port, PATH, from('192.0.2.2')),
        await callAt(port, PATH, from('2001:db8:2:200::1')),
      ]
      const newcomer = await callAt(port, PATH, from('192.0.2.3'))
      await eventually(() => expect(oldest.closed()).not.toBeNull())
      for (const { ws } of [newcomer, phone]) ws.send('it is me')
      await eventually(() => expect(sockets.talks.flatMap(({ received }) => received).length).toBe(2))
      expect([newcomer.closed(), phone.closed(), younger.closed()]).toEqual([null, null, null])
      expect(sockets.server.socketCounts).toMatchObject({ open: 3, refused: 0, ended: { crowd: 1 } })
    })

    it('is that a silent one is pinged, and given up without an answer', async () => {
      const sockets = await startWith({ ...QUICK, ...PATIENT, roundsToPing: 2, roundsToSilence: 5 })
      const { ws, closed } = await callAt(sockets.port, PATH)
      let pings = 0
      ws.on('ping', () => void pings++)
      const deaf = await openRaw(sockets)
      const talk = lastTalk(sockets)
      await deaf.closed()
      await eventually(() => expect(talk.ended).toBe(1))
      expect(sockets.server.socketCounts?.ended).toEqual({ silent: 1 })
      const until = pings + 4
      await eventually(() => expect(pings).toBeGreaterThanOrEqual(until))
      expect(closed()).toBeNull()
    })

    it('is that one whose other side never shows who it is may not stay', async () => {
      const sockets = await startWith({ ...QUICK, ...PATIENT, roundsToShow: 3 })
      sockets.onOpen = () => undefined
      sockets.onMessage = ({ socket }, text) => {
        if (text === 'it is me') socket.keep()
      }
      const known = await callAt(sockets.port, PATH)
      known.ws.send('it is me')
      const silent = await callAt(sockets.port, PATH)
      const talker = await callAt(sockets.port, PATH)
      const talk = setInterval(() => talker.ws.send('guess who'), 30)
      await eventually(() => expect([silent.closed()?.code, talker.closed()?.code]).toEqual([1008, 1008]))
      clearInterval(talk)
      expect(known.closed()).toBeNull()
    })

    it('is what a stranger may say at once', async () => {
      const sockets = await startWith({ strangerMessageBytesMax: 1_000 })
      sockets.onOpen = () => undefined
      sockets.onMessage = ({ socket }) => socket.keep()
      const [stranger, known] = [await callAt(sockets.port, PATH), await callAt(sockets.port, PATH)]
      known.ws.send('x'.repeat(1_000))
      await eventually(() => expect(lastTalk(sockets).received.length).toBe(1))
      for (const { ws } of [stranger, known]) ws.send('x'.repeat(1_001))
      await eventually(() => expect(lastTalk(sockets).received.length).toBe(2))
      await eventually(() => expect(stranger.closed()).not.toBeNull())
      expect([sockets.talks[0]?.received, known.closed()]).toEqual([[], null])
    })

    it('is what waits while a message is worked at, and what waits then is worked off', async () => {
      const sockets = await startWith({ waitingMax: 8 })
      const gate = Promise.withResolvers<void>()
      sockets.onMessage = () => gate.promise
      const socket = await openRaw(sockets)
      const talk = lastTalk(sockets)
      const texts = Array.from({ length: 12 }, (_, each) => `${each}`)
      socket.send(Buffer.concat(texts.map((text) => frame(OPCODE.text, text))))
      await eventually(() => expect(talk.received).toEqual(['0']))
      gate.resolve()
      await eventually(() => expect(talk.ended).toBe(1))
      expect(talk.received).toEqual(texts.slice(0, 10))
      expect(sockets.server.socketCounts?.ended).toEqual({ try_again_later: 1 })
      socket.destroy()
    })

    it('is the memory that unfinished messages share with the bodies of requests', async () => {
      const sockets = await startWith({}, 1_000_000)
      let open: () => void = () => undefined
      const gate = new Promise<void>((resolve) => {
        open = resolve
      })
      sockets.onMessage = () => gate
      const callers = await Promise.all([1, 2, 3].map(() => callAt(sockets.port, PATH)))
      for (const { ws } of callers) ws.send('x'.repeat(400_000))
      await eventually(() =>
        expect(callers.flatMap(({ closed }) => closed()?.code ?? [])).toEqual([1013, 1013]),
      )
      open()
      const later = await callAt(sockets.port, PATH)
      later.ws.send('x'.repeat(400_000))
      await eventually(() => expect(lastTalk(sockets).received.length).toBe(1))
      expect(later.closed()).toBeNull()
    })

    const CHUNK = 'x'.repeat(100_000)

    it('is how far the other side may be behind; it is told when there is room again', async () => {
      const sockets = await startWith({ ...PATIENT, unreadBytesMax: 50_000_000 })
      const reader = await openRaw(sockets)
      reader.pause()
      const { socket } = lastTalk(sockets)
      let sent = 0
      while (socket.send(CHUNK) && sent < 500) {
        sent++
        await new Promise(setImmediate)
      }
      expect(sent).toBeLessThan(500)
      expect(sockets.server.socketCounts?.unreadBytes).toBeGreaterThan(0)
      expect(lastTalk(sockets).drained).toBe(0)
      reader.resume()
      await eventually(() => expect(lastTalk(sockets).drained).toBe(1))
      expect(socket.send('and on')).toBe(true)
      await eventually(() => expect(reader.unread.endsWith('and on')).toBe(true))
      await eventually(() => expect(sockets.server.socketCounts?.unreadBytes).toBe(0))
    })

    it('is what is kept for one that does not read, whoever goes on sending', async () => {
      const sockets = await startWith({ ...PATIENT, unreadBytesMax: 1_000_000 })
      const reader = await openRaw(sockets)
      reader.pause()
      const { socket } = lastTalk(sockets)
      let most = 0
      for (let each = 0; each < 2_000 && lastTalk(sockets).ended === 0; each++) {
        socket.send(CHUNK)
        most = Math.max(most, sockets.server.socketCounts?.unreadBytes ?? 0)
        if (each % 10 === 0) await new Promise(setImmediate)
      }
      expect(lastTalk(sockets).ended).toBe(1)
      expect(most).toBeLessThan(1_200_000)
      expect(sockets.server.socketCounts).toMatchObject({ open: 0, unreadBytes: 0, ended: { unread: 1 } })
      reader.destroy()
    })

    it('is what is kept for all of them together', async () => {
      const sockets = await startWith({ ...PATIENT, unreadBytesOfAllMax: 2_000_000 })
      const readers = [await openRaw(sockets), await openRaw(sockets), await openRaw(sockets)]
      for (const reader of readers) reader.pause()
      const [first, second, third] = sockets.talks
      const fill = async (talk: Talk | undefined) => {
        let each = 0
        while (talk?.socket.send(CHUNK) === true && each++ < 1_000) await new Promise(setImmediate)
        for (let more = 0; more < 11; more++) talk?.socket.send(CHUNK)
      }
      await fill(first)
      await fill(second)
      await fill(third)
      expect(sockets.server.socketCounts?.unreadBytes).toBeLessThan(2_500_000)
      expect(sockets.server.socketCounts?.ended.unread).toBeGreaterThan(0)
      for (const reader of readers) reader.destroy()
    })

    it('ends the one that has most to read, where all together have too much', async () => {
      const sockets = await startWith({ ...PATIENT, unreadBytesOfAllMax: 3_000_000, unreadBytesMax: 1e9 })
      const readers = [await openRaw(sockets), await openRaw(sockets)]
      for (const reader of readers) reader.pause()
      const [greedy, modest] = sockets.talks
      const full = async (talk: Talk | undefined) => {
        while (talk?.socket.send(CHUNK) === true) await new Promise(setImmediate)
      }
      await full(modest)
      await full(greedy)
      for (let each = 0; each < 200 && sockets.server.socketCounts?.open === 2; each++)
        (each % 4 === 0 ? modest : greedy)?.socket.send(CHUNK)
      expect([greedy?.ended, modest?.ended]).toEqual([1, 0])
      expect(sockets.server.socketCounts).toMatchObject({ open: 1, ended: { unread: 1 } })
      for (const reader of readers) reader.destroy()
    })

    it('are the answers to pings of one that reads nothing', async () => {
      const sockets = await startWith({ ...PATIENT, behindBytes: 100_000, unreadBytesMax: 500_000 })
      const flooder = await openRaw(sockets)
      flooder.pause()
      const talk = lastTalk(sockets)
      // The system takes much before anything waits here.
      while (talk.socket.send('x'.repeat(20_000))) await new Promise(setImmediate)
      const pings = Buffer.concat(Array.from({ length: 100 }, () => frame(OPCODE.ping, 'x'.repeat(120))))
      for (let each = 0; each < 1_000 && talk.ended === 0; each++) {
        flooder.send(pings)
        await new Promise(setImmediate)
      }
      await eventually(() => expect(talk.ended).toBe(1))
      expect(sockets.server.socketCounts?.unreadBytes).toBe(0)
      flooder.destroy()
    })

    it('is how long it may read nothing, whatever it says', async () => {
      const sockets = await startWith({ ...QUICK, ...PATIENT, roundsToRead: 3 })
      const reader = await openRaw(sockets)
      reader.pause()
      const talk = lastTalk(sockets)
      while (talk.socket.send(CHUNK)) await new Promise(setImmediate)
      const chatter = setInterval(() => reader.send(frame(OPCODE.text, 'still here')), 30)
      await eventually(() => expect(talk.ended).toBe(1))
      clearInterval(chatter)
      expect(sockets.server.socketCounts?.ended).toEqual({ unread: 1 })
      reader.destroy()
    })

    it('is not how fast it reads, however much waits', async () => {
      const much = { unreadBytesMax: 1e9, unreadBytesOfAllMax: 1e9 }
      const sockets = await startWith({ ...PATIENT, ...much, roundMs: 200, partsOfRound: 2, roundsToRead: 3 })
      const reader = await openRaw(sockets)
      reader.pause()
      const talk = lastTalk(sockets)
      while (talk.socket.send(CHUNK)) await new Promise(setImmediate)
      const before = sockets.server.socketCounts?.unreadBytes ?? 0
      // Of what it is sent it reads three tenths. 56 MB are left, which is more than any system takes by itself.
      for (let each = 0; each < 80; each++) {
        for (let more = 0; more < 10; more++) talk.socket.send(CHUNK)
        reader.readAtMost(3 * CHUNK.length)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      expect(talk.ended).toBe(0)
      expect(reader.unread.length).toBeGreaterThan(10_000_000)
      expect(sockets.server.socketCounts?.unreadBytes).toBeGreaterThan(before + 5_000_000)
      reader.destroy()
    })

    it('are the pings that wait for an answer', async () => {
      const sockets = await startWith({ ...PATIENT, pingsMax: 5 })
      const deaf = await openRaw(sockets)
      const { socket } = lastTalk(sockets)
      let heard = 0
      for (let each = 0; each < 6; each++) socket.ping(() => void heard++)
      expect([lastTalk(sockets).ended, heard]).toEqual([1, 0])
      deaf.destroy()
    })
  })
}
