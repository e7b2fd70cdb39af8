import { mkdirSync } from 'node:fs'
import { newLocalToken, showsToken, writeLocalCredential } from './compose/local-credential.ts'
import type { Config } from './config/config.ts'
import { createFrontDoor } from './http/front-door/front-door.ts'
import type { Route } from './http/route/route.ts'
import { docsRoutes } from './http/routes/docs.ts'
import { healthRoute } from './http/routes/health.ts'
import { openApiRoute } from './http/routes/openapi.ts'
import type { HttpServer, ServerOptions } from './http/server/server.ts'
import { type LocalApi, startPrivateServer } from './http/server/private-server.ts'
import { startHttpServer } from './http/server/start-server.ts'
import { Lifecycle } from './lifecycle.ts'
import { openParts } from './open-parts.ts'
import type { OpenPart, Part } from './parts.ts'
import { stopInOrder } from './shutdown.ts'
import { createLog, type Log } from './telemetry/logger.ts'
import { createMetrics } from './telemetry/metrics.ts'
import { Probes } from './telemetry/probes.ts'

export type App = {
  readonly url: string
  readonly privateUrl: string
  readonly log: Log
  /** For the person at the terminal. */
  readonly notes: readonly string[]
  /** Readiness off, no new connections, running requests finished, parts stopped, log flushed. False: the limit passed first. */
  stop(): Promise<boolean>
}

/** The composition root: the one place that knows every part. */
export const startApp = async (config: Config, open: readonly OpenPart[] = openParts): Promise<App> => {
  const startedMs = performance.now()
  const lifecycle = new Lifecycle()
  const { operations } = config
  try {
    mkdirSync(config.storage.dataFolder, { recursive: true, mode: 0o700 })
    const log = createLog({ level: operations.logLevel })
    lifecycle.add('log', async () => log[Symbol.dispose]())
    const metrics = createMetrics()

    // First, so that a long recovery is seen as live and not yet ready.
    const serving: { ready: () => boolean; api: LocalApi | null } = { ready: () => false, api: null }
    const { privateHost: host, privatePort: port } = operations
    const internal = await startPrivateServer({
      host,
      port,
      metrics,
      ready: () => serving.ready(),
      api: () => serving.api,
    })
    lifecycle.add('private-server', () => internal[Symbol.asyncDispose]())

    const parts: Part[] = []
    for (const openOne of open) {
      const part = await openOne({ config, log, metrics })
      lifecycle.add(part.name, () => part[Symbol.asyncDispose]())
      parts.push(part)
    }
    const { probeIntervalMs: intervalMs, probeTimeoutMs: timeoutMs } = operations
    const probes = new Probes(parts, { intervalMs, timeoutMs, log, metrics })
    lifecycle.add('probes', () => probes[Symbol.asyncDispose]())
    await probes.start()

    const door = createFrontDoor({
      routes: routesOf(probes, parts),
      localRoutes: parts.flatMap((part) => part.localRoutes ?? []),
      authenticate: parts.find((part) => part.authenticate !== undefined)?.authenticate ?? null,
      idempotency: parts.find((part) => part.idempotency !== undefined)?.idempotency ?? null,
      rateLimit: parts.find((part) => part.rateLimit !== undefined)?.rateLimit ?? null,
      log,
      metrics,
      accessLog: operations.accessLog,
      requestsInFlightMax: config.http.requestsInFlightMax,
    })
    const server = await startHttpServer(config.http, serverOptions(config), door, log)
    lifecycle.add('http', () => server[Symbol.asyncDispose]())
    const url = config.http.publicUrl || addressOf(config, server)
    const privateUrl = `http://${bracketed(host)}:${internal.port}`
    const notes: string[] = []
    for (const part of parts) notes.push(...((await part.listening?.({ url })) ?? []))
    const token = newLocalToken()
    serving.api = { accepts: (authorization) => showsToken(authorization, token), door }
    writeLocalCredential(config.storage.dataFolder, { url: privateUrl, token })
    serving.ready = () => probes.healthy
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
    await lifecycle.end(() => undefined)
    throw error
  }
}

const routesOf = (probes: Probes, parts: readonly Part[]): readonly Route[] => {
  const routes = [healthRoute(() => probes.healthy), ...parts.flatMap((part) => part.routes ?? [])]
  const contents = parts.find((part) => part.contents !== undefined)?.contents ?? { tags: [], events: [] }
  const described = [...routes, openApiRoute(routes, contents)]
  return [...described, ...docsRoutes(described, contents)]
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
