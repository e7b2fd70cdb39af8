import { describe, expect, it } from 'vitest'
import { families, looseChunks } from './malformed-corpus.ts'
import { get, type RawResponse, RawSocket } from './raw-socket.ts'
import type { Trial } from './trial-service.ts'

/** Until then the server may still wait for the rest, which the receive timeout ends. */
const ANSWER_MS = 400

/** What came back: a status, a close without an answer, or nothing yet. */
const sendAlone = async (port: number, bytes: string): Promise<number | 'closed' | 'waits'> => {
  const socket = await RawSocket.open(port)
  socket.send(bytes)
  const response = await socket.response({ withinMs: ANSWER_MS }).catch((): 'waits' => 'waits')
  socket.destroy()
  return response === null ? 'closed' : response === 'waits' ? 'waits' : statusOf(response)
}

/** An error of ours has the shape of all errors; the library's own pages have no JSON in them. */
const statusOf = ({ status, headers, body }: RawResponse): number => {
  if (status >= 400 && headers.get('content-type') === 'application/json') {
    const { error, reason } = JSON.parse(body) as { error: unknown; reason: unknown }
    expect([typeof error, typeof reason]).toEqual(['string', 'string'])
  }
  return status
}

const isRefusal = (outcome: number | 'closed' | 'waits'): boolean =>
  typeof outcome === 'string' || outcome === 505 || (outcome >= 400 && outcome < 500)

export const malformedSuite = (trial: () => Trial): void => {
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

    it.each(families)('answers $name with an error or a clean close, and serves on', async ({ cases }) => {
      const before = trial().logged.length
      const outcomes = await Promise.all(
        cases.map(async ([name, bytes]) => [name, await sendAlone(trial().port, bytes)] as const),
      )
      expect(outcomes.filter(([, outcome]) => !isRefusal(outcome))).toEqual([])
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
        await expect.poll(() => trial().metrics.requests.inFlight, { timeout: 60_000 }).toBe(0)
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
