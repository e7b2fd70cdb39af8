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
    it('takes a query of the longest texts that are promised', async () => {
      const states = Array.from({ length: 20 }, () => `state=${encodeURIComponent('ä'.repeat(50))}`).join('&')
      const long = encodeURIComponent('ä'.repeat(200))
      expect((await ask(get(`/things/a?${states}&externalId=${long}&q=b`)))?.status).toBe(200)
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
