import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { limits } from '../../../../src/domain/limits.ts'
import type { StartServer } from '../../../../src/http/server/server.ts'
import { eventually } from '../../../eventually.ts'
import { RawSocket } from '../raw-socket.ts'
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

export const socketSuite = (engine: string, start: StartServer): void => {
  describe(`a socket, on ${engine}`, () => {
    let trial: TrialSockets
    beforeEach(async () => {
      trial = await startSockets(start)
    })
    afterEach(() => trial.server[Symbol.asyncDispose]())

    const lastTalk = async (): Promise<Talk> => {
      await eventually(() => expect(trial.talks.length).toBeGreaterThan(0))
      const last = trial.talks.at(-1)
      if (last === undefined) throw new Error('no socket')
      return last
    }
    const open = async (path = PATH) => {
      const caller = await callAt(trial.port, path)
      return { ...caller, talk: await lastTalk() }
    }
    const openRaw = async () => {
      const socket = await RawSocket.open(trial.port)
      socket.send(handshake(PATH))
      expect((await socket.response())?.status).toBe(101)
      return { socket, talk: await lastTalk() }
    }

    it('takes texts and bytes, whole or in pieces, in their order', async () => {
      const { socket, talk } = await openRaw()
      socket.send(frame(OPCODE.text, 'one'))
      socket.send(frame(OPCODE.binary, 'two'))
      socket.send(frame(OPCODE.text, 'th', false))
      socket.send(frame(OPCODE.ping, 'between'))
      socket.send(frame(OPCODE.continuation, 'ree'))
      await eventually(() => expect(talk.received).toEqual(['one', 'two', 'three']))
      await eventually(() => expect(socket.unread).toContain('between'))
      socket.destroy()
    })

    it('sends what it is told as bytes, in its order, also from elsewhere than a message', async () => {
      trial.onMessage = ({ socket }, text) => void socket.send(`${text} heard`)
      const { ws, messages, talk } = await open()
      for (let each = 0; each < 50; each++) ws.send(`${each}`)
      await eventually(() => expect(messages.length).toBe(50))
      talk.socket.send('später')
      await eventually(() => expect(messages.length).toBe(51))
      expect(messages.map(({ text }) => text)).toEqual([
        ...Array.from({ length: 50 }, (_, each) => `${each} heard`),
        'später',
      ])
      expect(messages.every(({ isBinary }) => isBinary)).toBe(true)
    })

    it('gets the next message when the one before is done with', async () => {
      const gates: (() => void)[] = []
      trial.onMessage = () => new Promise((resolve) => void gates.push(resolve))
      const { ws, talk } = await open()
      for (const text of ['a', 'b', 'c']) ws.send(text)
      for (const received of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
        await eventually(() => expect(gates.length).toBe(1))
        expect(talk.received).toEqual(received)
        gates.shift()?.()
      }
    })

    it.each([
      [PATH, limits.envelopeBytesMax],
      ['/didcomm', limits.strangerEnvelopeBytesMax],
    ])('at %s takes %i bytes, and is closed for one more', async (path, bytesMax) => {
      const { ws, talk, closed } = await open(path)
      const other = await callAt(trial.port, path)
      ws.send('x'.repeat(bytesMax))
      await eventually(() => expect(talk.received.map(({ length }) => length)).toEqual([bytesMax]))
      ws.send('x'.repeat(bytesMax + 1))
      await eventually(() => expect(closed()).not.toBeNull())
      await eventually(() => expect(talk.ended).toBe(1))
      expect(talk.received.length).toBe(1)
      expect(other.closed()).toBeNull()
    })

    it('is closed for a message that grows too large in pieces', async () => {
      const { ws, talk, closed } = await open()
      const piece = 'x'.repeat(500_000)
      for (let each = 0; each < 5; each++) ws.send(piece, { fin: false })
      await eventually(() => expect(closed()).not.toBeNull())
      expect(talk.received).toEqual([])
    })

    it.each([
      ['an opcode that there is not', frame(3, 'x')],
      ['a piece of no message', frame(OPCODE.continuation, 'x')],
      [
        'a ping that is too long',
        Buffer.concat([Buffer.from([0x89, 0xfe, 0, 200, 0, 0, 0, 0]), Buffer.alloc(200)]),
      ],
      ['a ping in pieces', frame(OPCODE.ping, 'x', false)],
      ['a text that is none', Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff])],
    ])('is closed for %s', async (_, bytes) => {
      const { socket, talk } = await openRaw()
      socket.send(bytes)
      await socket.closed()
      await eventually(() => expect(talk.ended).toBe(1))
      expect(talk.received).toEqual([])
    })

    it('hands over what came before its end, and tells of the end once', async () => {
      const { ws, talk, closed } = await open()
      ws.send('last words')
      ws.close(1000)
      await eventually(() => expect([talk.received, talk.ended]).toEqual([['last words'], 1]))
      await eventually(() => expect(closed()?.code).toBe(1000))
      expect(talk.socket.send('too late')).toBe(false)
      talk.socket.ping(() => undefined)
      talk.socket.end('refused', 'too late')
      expect(talk.ended).toBe(1)
    })

    it('ends when the other side hangs up, with or without a word', async () => {
      const first = await openRaw()
      first.socket.destroy()
      await eventually(() => expect(first.talk.ended).toBe(1))
      const { ws, talk } = await open()
      ws.terminate()
      await eventually(() => expect(talk.ended).toBe(1))
      await eventually(() => expect(trial.server.socketCounts).toMatchObject({ open: 0, opened: 2 }))
    })

    it.each([
      ['going_away', 1001],
      ['refused', 1008],
      ['failed', 1011],
      ['try_again_later', 1013],
    ] as const)('that is ended as %s gets what was sent before, and the code %i', async (why, code) => {
      const { talk, messages, closed } = await open()
      talk.socket.send('before')
      talk.socket.end(why, 'because')
      expect(talk.socket.send('after')).toBe(false)
      await eventually(() => expect(closed()).toEqual({ code, reason: 'because' }))
      expect(messages.map(({ text }) => text)).toEqual(['before'])
      expect(talk.ended).toBe(1)
      expect(trial.server.socketCounts?.ended).toEqual({ [why]: 1 })
    })

    it('is ended where its message could not be worked off', async () => {
      trial.onMessage = () => Promise.reject(new Error('a bug'))
      const { ws, closed } = await open()
      ws.send('a')
      await eventually(() => expect(closed()?.code).toBe(1011))
      expect(trial.failures).toEqual([new Error('a bug')])
    })

    it('hears that what it sent before a ping has arrived', async () => {
      const { talk, messages } = await open()
      const heard: string[] = []
      const note = (what: string) => () => void heard.push(`${what} after ${messages.length}`)
      talk.socket.send('x')
      talk.socket.ping(note('first'))
      talk.socket.send('y')
      talk.socket.ping(note('second'))
      await eventually(() => expect(heard).toEqual(['first after 2', 'second after 2']))
    })

    it('takes an answer for all pings before it, and no answer to a ping that it did not send', async () => {
      const { socket, talk } = await openRaw()
      const heard: string[] = []
      for (const what of ['a', 'b', 'c']) talk.socket.ping(() => void heard.push(what))
      for (const said of ['', '4', 'x', '-1', '99999999999999999999', '1e0x'])
        socket.send(frame(OPCODE.pong, said))
      socket.send(frame(OPCODE.text, 'mark'))
      await eventually(() => expect(talk.received).toEqual(['mark']))
      expect(heard).toEqual([])
      socket.send(frame(OPCODE.pong, '2'))
      socket.send(frame(OPCODE.pong, '2'))
      await eventually(() => expect(heard).toEqual(['a', 'b']))
      socket.send(frame(OPCODE.pong, '3'))
      await eventually(() => expect(heard).toEqual(['a', 'b', 'c']))
      socket.destroy()
    })

    it('is left alone by the stop until what came is worked off and answered', async () => {
      const gates: (() => void)[] = []
      trial.onMessage = async ({ socket }, text) => {
        await new Promise<void>((resolve) => void gates.push(resolve))
        socket.send(`${text} done`)
      }
      const idle = await open()
      const busy = await open()
      busy.ws.send('a')
      await eventually(() => expect(gates.length).toBe(1))
      trial.server.stopAccepting()
      let isDrained = false
      const drained = trial.server.drained().then(() => {
        isDrained = true
      })
      await eventually(() => expect(idle.closed()?.code).toBe(1001))
      expect([busy.closed(), isDrained]).toEqual([null, false])
      gates[0]?.()
      await drained
      await eventually(() => expect(busy.closed()?.code).toBe(1001))
      expect(busy.messages.map(({ text }) => text)).toEqual(['a done'])
      await expect(RawSocket.open(trial.port)).rejects.toThrow('ECONNREFUSED')
    })

    it('is cut off when the server is closed for good', async () => {
      trial.onMessage = () => new Promise(() => undefined)
      const { ws, talk, closed } = await open()
      ws.send('a')
      await eventually(() => expect(talk.received).toEqual(['a']))
      await trial.server[Symbol.asyncDispose]()
      await eventually(() => expect(closed()).not.toBeNull())
      expect(talk.ended).toBe(1)
    })
  })
}
