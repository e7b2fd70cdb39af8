import type { Config } from '../../config/config.ts'
import type { Log } from '../../telemetry/logger.ts'
import { startNodeServer } from './node-server.ts'
import type { FrontDoor, HttpServer, ServerOptions } from './server.ts'
import type { SocketsOptions } from './sockets/sockets-options.ts'

/** The configured server; where uWebSockets.js can't be loaded, Node's own, with a log line. */
export const startHttpServer = async (
  config: Config['http'],
  options: ServerOptions,
  door: FrontDoor,
  log: Log,
  sockets?: SocketsOptions,
): Promise<HttpServer> => {
  if (config.engine === 'node') return startNodeServer(options, door, sockets)
  const uws = await import('./uws-server.ts').catch((error: unknown) => {
    log('http.engine_fallback', { engine: 'node', error })
    return null
  })
  return uws === null ? startNodeServer(options, door, sockets) : uws.startUwsServer(options, door, sockets)
}
