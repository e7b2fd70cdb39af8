import { expect, onTestFinished } from 'vitest'
import type { LinkHandler } from '../../../../src/ports/node-link.ts'
import { createRuntime } from '../../../../src/host/runtime.ts'
import { openLink, type OpenLink } from '../../../../src/cluster/link/link.ts'
import { linkDefaults, type LinkSettings } from '../../../../src/cluster/link/link-settings.ts'
import type { LinkVersions } from '../../../../src/cluster/link/sockets/greeting.ts'
import { type LinkSecret, linkSecret } from '../../../../src/cluster/link/sockets/secret.ts'
import { type LinkSecrets, secretsOf } from '../../../../src/cluster/link/sockets/secret-file.ts'
import {
  type SocketTransport,
  socketTransport,
  strangerDefaults,
} from '../../../../src/cluster/link/sockets/socket-transport.ts'
import type { StrangerLimits } from '../../../../src/cluster/link/sockets/strangers.ts'
import type { Peer } from '../../../../src/cluster/link/wire.ts'
import { writtenLog } from '../../../telemetry/written-log.ts'

export const SECRET = 'the secret of this cluster, which is long enough'
export const secret = linkSecret(SECRET)
export const runtime = createRuntime()

/** As the defaults, in a tenth of the time. */
const quick: LinkSettings = {
  ...linkDefaults,
  heartbeatMs: 100,
  silentMs: 400,
  redialFirstMs: 10,
  redialMaxMs: 100,
  settledMs: 200,
  lookMs: 20,
  drainMs: 5_000,
}

export type NodeOptions = {
  readonly settings?: Partial<LinkSettings>
  readonly limits?: Partial<StrangerLimits>
  readonly versions?: LinkVersions
  /** Read anew at each use. */
  readonly secrets?: () => readonly LinkSecret[]
  readonly linkSecrets?: LinkSecrets
  readonly handlers?: Readonly<Record<string, LinkHandler>>
  /** By default each process has the lease of its name. */
  readonly incarnation?: () => string | null
  readonly isNow?: (node: string, incarnation: string) => Promise<boolean>
  readonly port?: number
  /** Who this node believes there is; by default everyone in the registry. */
  readonly peers?: () => readonly Peer[]
}

export type TestNode = {
  readonly node: string
  readonly link: OpenLink
  readonly transport: SocketTransport
  readonly log: ReturnType<typeof writtenLog>
  readonly address: string
  stop(): Promise<void>
}

/** Nodes on real sockets of this machine that find each other by a list that they share. */
export class TestCluster {
  readonly listed = new Map<string, string>()
  #starts = 0

  async start(node: string, options: NodeOptions = {}): Promise<TestNode> {
    const log = writtenLog()
    const settings = { ...quick, ...options.settings }
    const start = `start${++this.#starts}`
    const incarnation = options.incarnation ?? (() => start)
    const transport = socketTransport({
      node,
      incarnation,
      isNow: options.isNow ?? (async () => true),
      host: '127.0.0.1',
      port: options.port ?? 0,
      secrets: options.linkSecrets ?? secretsOf(options.secrets ?? (() => [secret])),
      runtime,
      log: log.log,
      bodyBytesMax: settings.bodyBytesMax,
      limits: { ...strangerDefaults, ...options.limits },
      ...(options.versions && { versions: options.versions }),
    })
    const peers = options.peers ?? (() => this.peers())
    const link = openLink({ node, transport, runtime, settings, log: log.log, peers, incarnation })
    const handlers = { echo: async (body: Uint8Array) => body, ...options.handlers }
    for (const [service, handler] of Object.entries(handlers)) link.handle(service, handler)
    await link.start()
    const address = `127.0.0.1:${transport.port()}`
    this.listed.set(node, address)
    const stop = async (): Promise<void> => link[Symbol.asyncDispose]()
    onTestFinished(stop)
    return { node, link, transport, log, address, stop }
  }

  peers(): readonly Peer[] {
    return [...this.listed].map(([node, address]) => ({ node, address }))
  }
}

export const stateOf = ({ link }: TestNode, other: string): string | undefined =>
  link.peers().find(({ node }) => node === other)?.state

export const connected = async (one: TestNode, other: TestNode): Promise<void> => {
  await expect.poll(() => stateOf(one, other.node)).toBe('connected')
  await expect.poll(() => stateOf(other, one.node)).toBe('connected')
}

export const ask = async (
  from: TestNode,
  to: string,
  text: string,
  service = 'echo',
  timeoutMs = 20_000,
): Promise<string> =>
  Buffer.from(await from.link.request(to, service, Buffer.from(text), { timeoutMs })).toString()

export const linesOf = ({ log }: TestNode, event: string) =>
  log.logged.filter(([name]) => name === event).map(([, fields]) => fields)
