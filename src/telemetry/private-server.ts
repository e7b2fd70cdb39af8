import { type Server, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metrics } from './metrics.ts'

export type PrivateServerOptions = {
  readonly host: string
  readonly port: number
  readonly metrics: Metrics
  readonly ready: () => boolean
}

export interface PrivateServer extends AsyncDisposable {
  readonly port: number
}

/** Metrics and live/ready for the operator's own tools, on a port that is not public. */
export const startPrivateServer = async (options: PrivateServerOptions): Promise<PrivateServer> => {
  const server = createServer((request, response) => {
    const answer = (status: number, type: string, body: string) => {
      response.writeHead(status, { 'Content-Type': type }).end(body)
    }
    const plain = 'text/plain; charset=utf-8'
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
