import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { run } from '../../bench/load/http.ts'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

const serve = async (listener: RequestListener): Promise<number> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => server.close().closeAllConnections())
  return (server.address() as AddressInfo).port
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

describe('the HTTP load', () => {
  it('sends its requests in turn over connections that stay, and counts every answer', async () => {
    const seen: Record<string, number> = {}
    const sockets = new Set<unknown>()
    const port = await serve(({ url = '', socket }, response) => {
      seen[url] = (seen[url] ?? 0) + 1
      sockets.add(socket)
      const body = 'x'.repeat(url === '/long' ? 100_000 : 5)
      response.writeHead(url === '/missing' ? 404 : 200, { 'Content-Length': body.length }).end(body)
    })
    const requests = ['/short', '/long', '/missing'].map(get)
    const result = await run({ port, connections: 3, durationMs: 200, requests })
    expect(sockets.size).toBe(3)
    expect(result.answered).toBe(Object.values(seen).reduce((sum, count) => sum + count, 0))
    expect(result.statuses).toEqual({
      200: (seen['/short'] ?? 0) + (seen['/long'] ?? 0),
      404: seen['/missing'],
    })
    expect(result.latency.p50_ms).toBeGreaterThan(0)
    expect(result.latency.p99_ms).toBeGreaterThanOrEqual(result.latency.p50_ms)
  })

  it('fails when the server hangs up', async () => {
    const port = await serve(({ socket }) => socket.destroy())
    await expect(run({ port, connections: 1, durationMs: 1_000, requests: [get('/')] })).rejects.toThrow(
      /closed a connection|ECONNRESET/,
    )
  })
})
