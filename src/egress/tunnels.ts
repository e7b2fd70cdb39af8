import { Agent, request } from 'node:http'
import { Agent as SecureAgent, type AgentOptions } from 'node:https'
import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { buildConnector } from 'undici'
import { EgressFailed } from './failures.ts'
import type { Names } from './names.ts'
import { notPublic } from './target.ts'

/** An HTTP proxy of the operator's own, the one way out of its network. */
export type EgressProxy = { readonly host: string; readonly port: number }

const OPEN_TIMEOUT_MS = 10_000

/** `http://proxy.internal:3128`; null for an empty text. */
export const proxyOf = (url: string): EgressProxy | null => {
  if (url === '') return null
  const { hostname, port } = new URL(url)
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 80 }
}

/**
 * Connections through the proxy. It is asked for an address that was looked up and checked here, never for a name: what
 * it would look up by itself could be an address inside its network.
 */
export class Tunnels {
  readonly #proxy: EgressProxy
  readonly #names: Pick<Names, 'addressesOf'>
  readonly #isAllowed: (address: string) => boolean

  constructor(
    proxy: EgressProxy,
    names: Pick<Names, 'addressesOf'>,
    isAllowed: (address: string) => boolean,
  ) {
    this.#proxy = proxy
    this.#names = names
    this.#isAllowed = isAllowed
  }

  async open(host: string, port: number): Promise<Socket> {
    const address = await this.#addressOf(host.replace(/^\[|\]$/g, ''))
    const authority = `${isIP(address) === 6 ? `[${address}]` : address}:${port}`
    return connectThrough(this.#proxy, authority)
  }

  /** For HTTP calls; TLS is spoken with the target itself. */
  get connector(): buildConnector.connector {
    const secure = buildConnector({ timeout: OPEN_TIMEOUT_MS })
    return (options, connected) => {
      const isSecure = options.protocol === 'https:'
      const port = Number(options.port) || (isSecure ? 443 : 80)
      this.open(options.hostname, port).then(
        (httpSocket) => {
          if (isSecure) secure({ ...options, httpSocket }, connected)
          else connected(null, httpSocket)
        },
        (error: Error) => connected(error, null),
      )
    }
  }

  /** For WebSockets. */
  agentFor(isSecure: boolean): Agent {
    const open = (host: string, port: number) => this.open(host, port)
    return isSecure ? new SecureTunnelAgent(open) : new TunnelAgent(open)
  }

  async #addressOf(host: string): Promise<string> {
    if (isIP(host) !== 0) {
      if (!this.#isAllowed(host)) throw notPublic()
      return host
    }
    const allowed = (await this.#names.addressesOf(host)).filter(({ address }) => this.#isAllowed(address))
    const [first] = allowed.toSorted((left, right) => left.family - right.family)
    if (first === undefined) throw notPublic()
    return first.address
  }
}

type Open = (host: string, port: number) => Promise<Socket>
type Wanted = AgentOptions & { readonly host?: string | null; readonly port?: string | number | null }
type Connected = (error: Error | null, socket: Duplex) => void

class TunnelAgent extends Agent {
  readonly #open: Open

  constructor(open: Open) {
    super()
    this.#open = open
  }

  override createConnection(options: Wanted, connected?: Connected): null {
    this.#open(String(options.host), Number(options.port) || 80).then(
      (socket) => connected?.(null, socket),
      (error: Error) => connected?.(error, null as never),
    )
    return null
  }
}

class SecureTunnelAgent extends SecureAgent {
  readonly #open: Open

  constructor(open: Open) {
    super()
    this.#open = open
  }

  override createConnection(options: Wanted, connected?: Connected): null {
    const host = String(options.host)
    const servername = isIP(host) === 0 ? { servername: host } : {}
    this.#open(host, Number(options.port) || 443).then(
      (socket) => connected?.(null, connectTls({ ...options, ...servername, socket } as never)),
      (error: Error) => connected?.(error, null as never),
    )
    return null
  }
}

const connectThrough = ({ host, port }: EgressProxy, authority: string): Promise<Socket> => {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const asked = request({ host, port, method: 'CONNECT', path: authority, agent: false })
  asked.setTimeout(OPEN_TIMEOUT_MS, () =>
    asked.destroy(new EgressFailed('the egress proxy did not answer in time')),
  )
  asked.on('connect', ({ statusCode }, socket, head) => {
    socket.setTimeout(0)
    if (statusCode !== 200) {
      socket.destroy()
      return reject(new EgressFailed(`the egress proxy answered ${statusCode}`))
    }
    if (head.length > 0) socket.unshift(head)
    resolve(socket)
  })
  // An answer to a CONNECT that is none: the proxy is something else.
  asked.on('response', ({ statusCode }) => {
    asked.destroy()
    reject(new EgressFailed(`the egress proxy answered ${statusCode}`))
  })
  asked.on('error', (error) =>
    reject(
      error instanceof EgressFailed
        ? error
        : new EgressFailed('the egress proxy cannot be reached', { cause: error }),
    ),
  )
  asked.end()
  return promise
}
