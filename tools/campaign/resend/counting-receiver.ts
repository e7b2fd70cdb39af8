import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An endpoint that takes everything, and counts which attempt of which event came how often. */
export const startCountingReceiver = async () => {
  const events = new Map<string, Map<number, number>>()
  /** Of how many events an attempt was heard. */
  const heardOf = new Map<number, number>()
  const server = createServer((request, response) => {
    const id = String(request.headers['x-svc-event-id'])
    const attempt = Number(request.headers['x-svc-delivery-attempt'])
    const attempts = events.get(id) ?? new Map<number, number>()
    events.set(id, attempts)
    const times = attempts.get(attempt) ?? 0
    attempts.set(attempt, times + 1)
    if (times === 0) heardOf.set(attempt, (heardOf.get(attempt) ?? 0) + 1)
    request.resume()
    request.on('end', () => response.writeHead(204).end())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    heardOf: (attempt: number): number => heardOf.get(attempt) ?? 0,
    /** Attempts that came more than once, because their outcome was not committed. */
    repeated: (): number =>
      [...events.values()].reduce(
        (sum, attempts) => sum + [...attempts.values()].reduce((more, times) => more + times - 1, 0),
        0,
      ),
    events,
    close: (): void => {
      server.closeAllConnections()
      server.close()
    },
  }
}
