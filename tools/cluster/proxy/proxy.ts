import { once } from 'node:events'
import { createServer as createStatusServer } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import { forward, forwardUpgrade } from './forward.ts'
import { type NodeAddress, type NodeState, ProxiedNodes } from './nodes.ts'
import { watchReadiness } from './readiness.ts'

export type ProxySettings = {
  readonly host: string
  readonly port: number
  /** Where the proxy tells, in clear and on loopback alone, what it thinks of its nodes. */
  readonly statusPort: number
  readonly certificate: string
  readonly key: string
  readonly nodes: readonly NodeAddress[]
}

export type ProxyStatus = { readonly nodes: readonly NodeState[] }

const CONNECTIONS_MAX = 8_192
const HEAD_LIMIT_MS = 10_000
/** A node measures how fast a body comes; this only bounds the whole. */
const REQUEST_LIMIT_MS = 600_000
const KEEP_ALIVE_MS = 30_000
/** A little more than a node takes, which has words of its own for it. */
const HEAD_BYTES_MAX = 32_768
const DRAIN_LIMIT_MS = 5_000

/** The TLS end of a cluster on one machine: gives each request to a node that is ready, and never one to two. */
export const startProxy = async (settings: ProxySettings) => {
  const nodes = new ProxiedNodes(watchReadiness)
  await nodes.know(settings.nodes)
  const server = createServer({
    cert: settings.certificate,
    key: settings.key,
    maxHeaderSize: HEAD_BYTES_MAX,
    headersTimeout: HEAD_LIMIT_MS,
    requestTimeout: REQUEST_LIMIT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
  })
  server.maxConnections = CONNECTIONS_MAX
  server.on('request', (request, response) => forward(nodes, { request, response, upgrade: null }))
  const upgraded = new Set<Socket>()
  server.on('upgrade', (request, socket, head) => {
    upgraded.add(request.socket)
    socket.once('close', () => upgraded.delete(request.socket))
    forwardUpgrade(nodes, request, socket, head)
  })
  const status = createStatusServer((_, response) => {
    const told: ProxyStatus = { nodes: nodes.states }
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(told))
  })
  server.listen(settings.port, settings.host)
  status.listen(settings.statusPort, '127.0.0.1')
  await Promise.all([once(server, 'listening'), once(status, 'listening')])
  const stop = async (): Promise<void> => {
    const closed = Promise.all([once(server.close(), 'close'), once(status.close(), 'close')])
    server.closeIdleConnections()
    status.closeAllConnections()
    for (const socket of upgraded) socket.destroy()
    const limit = setTimeout(() => server.closeAllConnections(), DRAIN_LIMIT_MS)
    await closed
    clearTimeout(limit)
    await nodes.know([])
  }
  const know = (addresses: readonly NodeAddress[]): Promise<void> => nodes.know(addresses)
  return { know, states: () => nodes.states, stop, [Symbol.asyncDispose]: stop }
}
