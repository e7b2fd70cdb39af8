import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { get, type RawResponse, RawSocket } from './raw-socket.ts'
import type { Trial } from './trial-service.ts'

/** How much of a request line and its headers is read, seen from the socket. */
export const headSuite = (trial: () => Trial): void => {
  const ask = async (...pieces: readonly string[]): Promise<RawResponse | null> => {
    const socket = await RawSocket.open(trial().port)
    for (const piece of pieces) {
      socket.send(piece)
      await new Promise(setImmediate)
    }
    const response = await socket.response()
    socket.destroy()
    return response
  }
  const withHead = (bytes: number): string => {
    const empty = get('/things/a', 'X-A: \r\n')
    return empty.replace('X-A: ', `X-A: ${'b'.repeat(bytes - empty.length)}`)
  }
  const withHeaders = (count: number): string =>
    get('/things/a', Array.from({ length: count - 1 }, (_, index) => `X-${index}: b\r\n`).join(''))

  describe('with a long head', () => {
    it('takes every filter at its longest, in the widest characters, with what a browser sends beside it', async () => {
      const text = (characters: number) => encodeURIComponent('😀'.repeat(characters))
      const states = Array.from(
        { length: limits.stateValuesMax },
        () => `state=${text(limits.stateCharactersMax)}`,
      )
      const ids = ['connectionId', 'proofTemplateId'].map(
        (name) => `${name}=${text(limits.pathIdCharactersMax)}`,
      )
      const texts = [
        `externalId=${text(limits.externalIdCharactersMax)}`,
        `q=${text(limits.searchCharactersMax)}`,
      ]
      const times = ['from', 'to'].map(
        (name) => `${name}=${encodeURIComponent('2026-11-22T00:00:00.000+01:00')}`,
      )
      const query = [...states, ...ids, ...texts, ...times, 'page=100000', 'pageSize=100'].join('&')
      const others = `Cookie: ${'c'.repeat(2_000)}\r\nUser-Agent: ${'u'.repeat(500)}\r\n`
      expect((await ask(get(`/things/a?${query}`, others)))?.status).toBe(200)
    })

    it('takes the last byte that is promised, in one piece and in several', async () => {
      const head = withHead(limits.headBytesMax)
      expect((await ask(head))?.status).toBe(200)
      expect((await ask(head.slice(0, 1_000), head.slice(1_000, -1), head.slice(-1)))?.status).toBe(200)
    })

    it('refuses one that is larger with 431, and serves on', async () => {
      expect((await ask(withHead(limits.headBytesMax + 1_000)))?.status).toBe(431)
      expect((await ask(get('/things/a')))?.status).toBe(200)
    })

    it('takes as many headers as are promised, and refuses one more with 431', async () => {
      expect((await ask(withHeaders(limits.headersMax)))?.status).toBe(200)
      expect((await ask(withHeaders(limits.headersMax + 1)))?.status).toBe(431)
    })
  })
}
