import { describe, expect, it } from 'vitest'
import { families, looseChunks } from './malformed-corpus.ts'
import { errorOf, get, type RawResponse, RawSocket } from './raw-socket.ts'
import type { Trial } from './trial-service.ts'

/** The receive timeout of both servers is 10 s; what is silent until then must be closed by it. */
const CLOSED_WITHIN_MS = 30_000

/** What a server library does by itself before a request is ours. */
export type LibraryWays = {
  /** Statuses that it answers with a page of its own, after which it closes. */
  readonly pages: readonly number[]
  /** Whether it may close after its receive timeout without a word. */
  readonly isSilentAt: (caseName: string) => boolean
}

/** `page`: what came behind the head of an answer that is none of ours, until the connection ended. */
type Outcome = { readonly name: string; readonly response: RawResponse | null; readonly page: string }

/** Waits for an answer, or until the connection ends without one; rejects when neither comes. */
const sendAlone = async (port: number, name: string, bytes: string): Promise<Outcome> => {
  const socket = await RawSocket.open(port)
  socket.send(bytes)
  const response = await socket.response({ withinMs: CLOSED_WITHIN_MS })
  const isPage = response?.headers.has('content-type') === false
  if (isPage) await socket.closed()
  const page = isPage ? `${response.body}${socket.unread}` : ''
  socket.destroy()
  return { name, response, page }
}

const objectionTo = ({ name, response, page }: Outcome, ways: LibraryWays): string | null => {
  if (response === null) return ways.isSilentAt(name) ? null : `${name}: closed without a word`
  const { status, headers } = response
  if (ways.pages.includes(status) && page.startsWith('<h1>')) return null
  if (![400, 404, 405, 431].includes(status)) return `${name}: ${status}`
  if (headers.get('content-type') !== 'application/json') return `${name}: ${status} without an error`
  errorOf(response)
  return headers.has('x-request-id') ? null : `${name}: ${status} without a request id`
}

export const malformedSuite = (trial: () => Trial, ways: LibraryWays): void => {
  const stillServes = async () => {
    const socket = await RawSocket.open(trial().port)
    socket.send(get('/things/alive'))
    expect((await socket.response())?.status).toBe(200)
    socket.destroy()
  }

  describe('with bytes that are no proper request', () => {
    it('knows more than 200 kinds of them', () => {
      expect(families.flatMap(({ cases }) => cases).length).toBeGreaterThanOrEqual(200)
    })

    it('answers each with an error or a close, and serves on', { timeout: 120_000 }, async () => {
      const before = trial().logged.length
      const cases = families.flatMap((family) => family.cases)
      const outcomes = await Promise.all(cases.map(([name, bytes]) => sendAlone(trial().port, name, bytes)))
      expect(
        outcomes.map((outcome) => objectionTo(outcome, ways)).filter((objection) => objection !== null),
      ).toEqual([])
      const handled = trial()
        .logged.slice(before)
        .map(({ fields }) => fields.status)
      expect(handled.filter((status) => status === 200 || status === 500)).toEqual([])
      await stillServes()
    })

    it.each(looseChunks)('reads no request after chunks with %s', async (_name, bytes) => {
      const before = trial().logged.length
      const socket = await RawSocket.open(trial().port)
      socket.send(bytes + get('/things/smuggled'))
      await socket.closed()
      expect(
        trial()
          .logged.slice(before)
          .map(({ fields }) => fields.route),
      ).not.toContain('/things/{id}')
      await stillServes()
    })

    it('keeps nothing of them in memory', { timeout: 60_000 }, async () => {
      const cases = families.flatMap((family) => family.cases)
      const round = async () => {
        const sockets = await Promise.all(
          cases.map(async ([, bytes]) => {
            const socket = await RawSocket.open(trial().port)
            socket.send(bytes)
            return socket
          }),
        )
        await stillServes()
        for (const socket of sockets) socket.destroy()
        await trial().server.drained()
        trial().logged.splice(0)
        globalThis.gc?.()
        return process.memoryUsage().heapUsed + process.memoryUsage().external
      }
      for (let warming = 0; warming < 3; warming++) await round()
      const before = await round()
      for (let rounds = 0; rounds < 8; rounds++) await round()
      const grownPerCase = ((await round()) - before) / (9 * cases.length)
      // Without a forced collection the figure holds what the next one will take.
      expect(grownPerCase).toBeLessThan(globalThis.gc === undefined ? 10_000 : 200)
    })
  })
}
