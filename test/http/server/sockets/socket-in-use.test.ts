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
