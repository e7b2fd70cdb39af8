import { newNonce } from './actors/ids.ts'
import { newLocalToken, showsToken, writeLocalCredential } from './compose/local-credential.ts'
import { socketsOf } from './compose/sockets.ts'
import { openService, type OpenService, type Service } from './compose/service.ts'
import type { Config } from './config/config.ts'
import { readConsoleFiles } from './console-files.ts'
import { prepareDataFolder } from './data-folder.ts'
import { createRuntime } from './host/runtime.ts'
import { createFrontDoor } from './http/front-door/front-door.ts'
import type { Route } from './http/route/route.ts'
import { consoleRoutes } from './http/routes/console.ts'
import { docsRoutes } from './http/routes/docs.ts'
import { healthRoute } from './http/routes/health.ts'
import { openApiRoute } from './http/routes/openapi.ts'
import { clientAddressBehind } from './http/server/client-address.ts'
import type { HttpServer, ServerOptions } from './http/server/server.ts'
import { startPrivateServer, type LocalApi } from './http/server/private-server.ts'
import { startHttpServer } from './http/server/start-server.ts'
import { Lifecycle } from './lifecycle.ts'
import { keyFileOf } from './persistence/vault/open-vault.ts'
import { stopInOrder } from './shutdown.ts'
import { createLog, type Log } from './telemetry/logger.ts'
import { createMetrics, type Metrics } from './telemetry/metrics.ts'
import { showSockets } from './telemetry/socket-metrics.ts'
import { Probes } from './telemetry/probes.ts'

export type App = {
  readonly url: string
  readonly privateUrl: string
  readonly log: Log
  /** For the person at the terminal. */
  readonly notes: readonly string[]
  /** Readiness off, no new connections, running requests finished, service closed, log flushed. False: the limit passed first. */
  stop(): Promise<boolean>
}

/** The service between its two ports: opened before they take requests, closed after the last answer. */
export const startApp = async (config: Config, open: OpenService = openService): Promise<App> => {
  const startedMs = performance.now()
  const { operations } = config
  const log = createLog({ level: operations.logLevel })
  prepareDataFolder(config.storage.dataFolder, keyFileOf(config), (left) =>
    log('data_folder.left_open', left),
  )
  const lifecycle = new Lifecycle()
  lifecycle.add('log', async () => log[Symbol.dispose]())
  try {
    const metrics = createMetrics()
    const { serving, internal } = await openPrivatePort(config, metrics, lifecycle)
    const runtime = createRuntime()
    const service = await open({ config, log, metrics, lifecycle, runtime, newNonce })
    serving.detail = () => service.detail()
    const { probeIntervalMs: intervalMs, probeTimeoutMs: timeoutMs } = operations
    const probes = lifecycle.use('probes', new Probes([service], { intervalMs, timeoutMs, log, metrics }))
    await probes.start()
    const door = createFrontDoor({
      ...service,
      routes: routesOf(probes, service),
      log,
      metrics,
      accessLog: operations.accessLog,
      clientAddress: clientAddressBehind(config.http.trustedProxies),
      requestsInFlightMax: config.http.requestsInFlightMax,
    })
    const sockets = socketsOf(config, service.sockets, log)
    const server = lifecycle.use(
      'http',
      await startHttpServer(config.http, serverOptions(config), door, log, sockets),
    )
    const { socketCounts } = server
    if (socketCounts !== null) showSockets(metrics, () => socketCounts)
    const url = config.http.publicUrl || addressOf(config, server)
    const privateUrl = `http://${bracketed(operations.privateHost)}:${internal.port}`
    const notes = await service.listening(url)
    await service.takePart()
    const token = newLocalToken()
    serving.api = { accepts: (authorization) => showsToken(authorization, token), door }
    writeLocalCredential(config.storage.dataFolder, { url: privateUrl, token })
    serving.ready = () => probes.healthy && !service.isDraining()
    log('service.started', {
      url,
      engine: server.engine,
      durationMs: Math.round(performance.now() - startedMs),
    })
    const stop = (): Promise<boolean> => {
      serving.ready = () => false
      serving.api = null
      return stopInOrder({ config: operations, server, door, lifecycle, log })
    }
    return { url, privateUrl, log, notes, stop }
  } catch (error) {
    await lifecycle.end((part, failure) => log('part.stop_failed', { part, error: failure }))
    throw error
  }
}

/**
 * The private port opens first, so that a long recovery is seen as live and not yet ready; whether it is ready and what it
 * serves to the command line comes to it once the rest is open.
 */
const openPrivatePort = async ({ operations }: Config, metrics: Metrics, lifecycle: Lifecycle) => {
  const serving: {
    ready: () => boolean
    /** What is said beside that; none of it makes the service unready. */
    detail: () => readonly string[]
    api: LocalApi | null
  } = { ready: () => false, detail: () => [], api: null }
  const { privateHost: host, privatePort: port } = operations
  const internal = await startPrivateServer({
    host,
    port,
    metrics,
    ready: () => serving.ready(),
    detail: () => serving.detail(),
    api: () => serving.api,
  })
  return { serving, internal: lifecycle.use('private-server', internal) }
}

const routesOf = (probes: Probes, { routes, contents }: Service): readonly Route[] => {
  const all = [healthRoute(() => probes.healthy), ...routes]
  const described = [...all, openApiRoute(all, contents)]
  return [...described, ...docsRoutes(described, contents), ...consoleRoutes(readConsoleFiles())]
}

const serverOptions = ({ http }: Config): ServerOptions => ({
  host: http.host,
  port: http.port,
  tls: http.tlsCertFile === '' ? null : { certFile: http.tlsCertFile, keyFile: http.tlsKeyFile },
  bodyMemoryBytesMax: http.bodyMemoryBytesMax,
})

const addressOf = ({ http }: Config, server: HttpServer): string => {
  const everywhere = http.host === '0.0.0.0' || http.host === '::'
  const scheme = http.tlsCertFile === '' ? 'http' : 'https'
  return `${scheme}://${everywhere ? 'localhost' : bracketed(http.host)}:${server.port}`
}

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)
