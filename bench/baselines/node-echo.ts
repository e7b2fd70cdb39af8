// A bare node:http server: answers everything with the same bytes and does nothing else.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export async function start(answer: {
  readonly body: string
  readonly headers: readonly (readonly [string, string])[]
}): Promise<number> {
  const headers = Object.fromEntries([
    ...answer.headers,
    ['Content-Length', String(Buffer.byteLength(answer.body))],
  ])
  const server = createServer((_request, response) => response.writeHead(200, headers).end(answer.body))
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}
