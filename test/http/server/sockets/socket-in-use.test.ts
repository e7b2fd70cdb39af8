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
})
