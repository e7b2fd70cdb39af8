// Receivers of webhooks: one that answers each POST after a while, as a backend does, and one that never answers.
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers with 204 after so many milliseconds; at once where that is none. */
export function answering(afterMs: number): Promise<string> {
  return listen((request, response) => {
    request.resume()
    request.on('end', () => {
      if (afterMs === 0) response.writeHead(204).end()
      else setTimeout(() => response.writeHead(204).end(), afterMs)
    })
  })
}

export function silent(): Promise<string> {
  return listen((request) => void request.resume())
}

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
}
