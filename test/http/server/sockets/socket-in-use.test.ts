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
