import { type IncomingMessage, type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.ts'

/** Answers one order: `authorization` is the header as received, `body` the text of at most 256 KiB. */
export type OperatorDoor = (
  authorization: string,
  body: string,
) => Promise<{ readonly status: number; readonly body: string }>

export type PrivateServerOptions = {
  readonly host: string
  readonly port: number
  readonly metrics: Metrics
  readonly ready: () => boolean
  /** Null while the service takes no orders. */
  readonly operate?: () => OperatorDoor | null
}

export interface PrivateServer extends AsyncDisposable {
  readonly port: number
}

/** Serves metrics and live/ready for the operator's own tools, on a port that is not public. */
export const startPrivateServer = async (options: PrivateServerOptions): Promise<PrivateServer> => {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'Content-Type': type }).end(body)
    }
    const plain = 'text/plain; charset=utf-8'
    const door = options.operate?.() ?? null
    if (request.method === 'POST' && request.url === '/operator' && door !== null) {
      void order(request, door).then(({ status, body }) => answer(status, 'application/json', body))
      return
    }
    if (request.method !== 'GET') return answer(405, plain, 'GET only\n')
    if (request.url === '/live') return answer(200, plain, 'live\n')
    if (request.url === '/ready')
      return options.ready() ? answer(200, plain, 'ready\n') : answer(503, plain, 'not ready\n')
    if (request.url !== '/metrics') return answer(404, plain, 'one of /live, /ready, /metrics\n')
    const { registry } = options.metrics
    registry.metrics().then(
      (text) => answer(200, registry.contentType, text),
      () => answer(500, plain, 'metrics could not be collected\n'),
    )
  })
  await listen(server, options.host, options.port)
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

const ORDER_BYTES_MAX = 262_144

const order = async (request: IncomingMessage, door: OperatorDoor): ReturnType<OperatorDoor> => {
  try {
    const chunks: Buffer[] = []
    let bytes = 0
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > ORDER_BYTES_MAX) return { status: 413, body: '{}' }
      chunks.push(chunk)
    }
    return await door(request.headers.authorization ?? '', Buffer.concat(chunks).toString('utf8'))
  } catch {
    return { status: 503, body: '{}' }
  }
}

const listen = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new Error(
          `cannot listen on ${host}:${port} for metrics: another program uses the port, or the address is not of this machine`,
          { cause: error },
        ),
      ),
    )
    server.listen({ host, port, exclusive: true }, resolve)
  })
