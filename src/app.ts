import { mkdirSync } from 'node:fs'
import type { Config } from './config/config.ts'
import { createFrontDoor } from './http/front-door.ts'
import { healthRoute } from './http/routes/health.ts'
import { openApiRoute } from './http/routes/openapi.ts'
import type { HttpServer, ServerOptions } from './http/server.ts'
import { startHttpServer } from './http/start-server.ts'
import { Lifecycle } from './lifecycle.ts'
import { stopInOrder } from './shutdown.ts'
import { createLog } from './telemetry/logger.ts'
import { createMetrics } from './telemetry/metrics.ts'
import { startPrivateServer } from './telemetry/private-server.ts'
import { type Probed, Probes } from './telemetry/probes.ts'

/** Something with a life of its own that the service needs: opened in order, stopped in the opposite one. */
export type Part = Probed & AsyncDisposable

export type App = {
  readonly url: string
  readonly privateUrl: string
  /** Readiness off, no new connections, running requests finished, parts stopped, log flushed. False: the limit passed first. */
  stop(): Promise<boolean>
}

/** The composition root: the one place that knows every part. */
export const startApp = async (config: Config): Promise<App> => {
  const startedMs = performance.now()
  const lifecycle = new Lifecycle()
  try {
    mkdirSync(config.storage.dataFolder, { recursive: true, mode: 0o700 })
    const log = createLog({ level: config.operations.logLevel })
    lifecycle.add('log', async () => log[Symbol.dispose]())
    const metrics = createMetrics()
    const parts: Part[] = []
    for (const part of parts) lifecycle.add(part.name, () => part[Symbol.asyncDispose]())

    const probes = new Probes(parts, {
      intervalMs: config.operations.probeIntervalMs,
      timeoutMs: config.operations.probeTimeoutMs,
      log,
      metrics,
    })
    lifecycle.add('probes', () => probes[Symbol.asyncDispose]())
    await probes.start()

    let stopping = false
    const internal = await startPrivateServer({
      host: config.operations.privateHost,
      port: config.operations.privatePort,
      metrics,
      ready: () => probes.healthy && !stopping,
    })
    lifecycle.add('private-server', () => internal[Symbol.asyncDispose]())

    const routes = [healthRoute(() => probes.healthy)]
    const door = createFrontDoor({
      routes: [...routes, openApiRoute(routes)],
      authenticate: null,
      log,
      metrics,
      accessLog: config.operations.accessLog,
      requestsInFlightMax: config.http.requestsInFlightMax,
    })
    const server = await startHttpServer(config.http, serverOptions(config), door, log)
    lifecycle.add('http', () => server[Symbol.asyncDispose]())

    const url = config.http.publicUrl || addressOf(config, server)
    log('service.started', {
      url,
      engine: server.engine,
      durationMs: Math.round(performance.now() - startedMs),
    })
    return {
      url,
      privateUrl: `http://${bracketed(config.operations.privateHost)}:${internal.port}`,
      stop: async () => {
        stopping = true
        return stopInOrder({ config: config.operations, server, lifecycle, log })
      },
    }
  } catch (error) {
    await lifecycle.end(() => undefined)
    throw error
  }
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
