import { describe, expect, it } from 'vitest'
import { GivenHost, GivenSocketInUse } from './given-sockets.ts'

/** Everything that waits for nothing from outside has been done. */
const settled = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

describe('a socket whose other side never shows who it is', () => {
  it('ends after its rounds, whatever is said on it', async () => {
    const host = new GivenHost({ roundsToShow: 3 })
    const [talker, known] = [new GivenSocketInUse(host), new GivenSocketInUse(host)]
    known.keep()
    for (let round = 0; round < 3; round++) {
      expect(host.ends).toEqual([])
      for (const socket of [talker, known]) socket.say('hello')
      await settled()
      for (const socket of [talker, known]) socket.look()
    }
    expect([host.ends, talker.codes, known.codes]).toEqual([['refused'], [1008], []])
  })
})

describe('a socket whose other side does not read', () => {
  it('ends where the answers to its pings are too much, though nothing is sent', () => {
    const host = new GivenHost({ unreadBytesMax: 1_000 })
    const socket = new GivenSocketInUse(host)
    for (let ping = 0; ping < 8; ping++) {
      socket.waits += 125
      socket.pingCame()
    }
    expect([host.ends, host.unread]).toEqual([[], 1_000])
    socket.waits += 125
    socket.pingCame()
    expect([host.ends, host.unread]).toEqual([['unread'], 0])
  })
  it('ends when nothing has left in so many rounds, however little it is that waits', () => {
    const host = new GivenHost({ roundsToRead: 3 })
    const socket = new GivenSocketInUse(host)
    for (let round = 0; round < 3; round++) {
      expect(host.ends).toEqual([])
      socket.send('x')
      socket.look()
    }
    expect(host.ends).toEqual(['unread'])
  })

  it.each([
    ['what waits grows all the time', { waits: 10, handed: 0 }],
    ['a large piece leaves slowly', { waits: 0, handed: 10 }],
  ])('stays where it reads slowly: %s', (_, reads) => {
    const host = new GivenHost({ roundsToRead: 3, roundsToShow: 100 })
    const socket = new GivenSocketInUse(host)
    socket.handed = 1_000
    for (let round = 0; round < 20; round++) {
      socket.send('x'.repeat(100))
      socket.waits -= reads.waits
      socket.handed -= reads.handed
      socket.look()
    }
    expect(host.ends).toEqual([])
  })

  it('is told to send on when it has read, and not before', () => {
    const socket = new GivenSocketInUse(new GivenHost({ behindBytes: 100 }))
    expect([socket.send('x'.repeat(100)), socket.send('x')]).toEqual([true, false])
    socket.waits = 60
    socket.readOn()
    // What goes out regardless, as an answer, changes nothing.
    expect([socket.send('x'), socket.drains]).toEqual([false, 0])
    socket.waits = 50
    socket.look()
    expect([socket.send('x'), socket.drains]).toEqual([true, 1])
  })
})

describe('a socket that ends behind what came', () => {
  const atWork = () => {
    const host = new GivenHost({ waitingMax: 4 })
    const socket = new GivenSocketInUse(host)
    const gate = Promise.withResolvers<void>()
    socket.onMessage = () => gate.promise
    return { host, socket, open: gate.resolve }
  }

  it('works off what was there before, and looks at nothing more', async () => {
    const { host, socket, open } = atWork()
    for (const text of ['a', 'b', 'c']) socket.say(text)
    socket.endAfterWork('try_again_later', 'one of them was too much')
    socket.endAfterWork('refused', 'too late')
    socket.leave()
    socket.say('d')
    expect(host.ends).toEqual([])
    open()
    await settled()
    expect([socket.received, host.ends, host.bytesKept]).toEqual([['a', 'b', 'c'], ['try_again_later'], 0])
  })

  it('ends at once where nothing is being worked at', () => {
    const { host, socket } = atWork()
    socket.endAfterWork('try_again_later', 'nothing came')
    expect(host.ends).toEqual(['try_again_later'])
  })

  it('does so where more came than may wait, or there is no memory for more', async () => {
    const many = atWork()
    for (const text of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) many.socket.say(text)
    many.open()
    await settled()
    expect([many.socket.received.join(''), many.host.ends]).toEqual(['abcdef', ['try_again_later']])
    const large = atWork()
    for (const text of ['a', 'b']) large.socket.say(text)
    large.host.hasMemory = false
    large.socket.say('c')
    large.open()
    await settled()
    expect([large.socket.received.join(''), large.host.ends]).toEqual(['ab', ['try_again_later']])
  })

  it('takes more until then where the node stops', async () => {
    const { host, socket, open } = atWork()
    socket.say('a')
    socket.leave()
    socket.say('b')
    open()
    await settled()
    expect([socket.received, host.ends]).toEqual([['a', 'b'], ['going_away']])
  })

  it('does not, where it is ended at once', async () => {
    const { host, socket, open } = atWork()
    for (const text of ['a', 'b']) socket.say(text)
    socket.end('refused', 'for what it said')
    open()
    await settled()
    expect([socket.received, host.ends, host.bytesKept]).toEqual([['a'], ['refused'], 0])
  })
})
