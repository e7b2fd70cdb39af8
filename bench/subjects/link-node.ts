// A node whose link answers, in a process of its own.
import { openLink, type OpenLink } from '../../src/cluster/link/link.ts'
import { linkDefaults } from '../../src/cluster/link/link-settings.ts'
import { linkSecret } from '../../src/cluster/link/sockets/secret.ts'
import { secretsOf } from '../../src/cluster/link/sockets/secret-file.ts'
import { socketTransport } from '../../src/cluster/link/sockets/socket-transport.ts'
import type { Peer } from '../../src/cluster/link/wire.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { createLog } from '../../src/telemetry/logger.ts'
import { Latencies } from '../harness/latencies.ts'

const SERVICE = 'bench/echo'
const TIMEOUT_MS = 60_000
const CONNECT_LIMIT_MS = 30_000

const peers: Peer[] = []
let link: OpenLink | null = null

const echo = async (body: Uint8Array): Promise<Uint8Array> => body

/** The address of its link. */
export async function start(node: string): Promise<string> {
  const runtime = createRuntime()
  const log = createLog({ level: 'silent' })
  const { bodyBytesMax } = linkDefaults
  const secrets = secretsOf(() => [linkSecret('the secret of a benchmark, long enough for a cluster')])
  const incarnation = runtime.newId()
  const proving = { node, incarnation: () => incarnation, isNow: async () => true }
  const at = { ...proving, host: '127.0.0.1', port: 0 }
  const transport = socketTransport({ ...at, secrets, runtime, log, bodyBytesMax })
  link = openLink({ node, transport, runtime, settings: linkDefaults, log, peers: () => peers })
  link.handle(SERVICE, echo)
  await link.start()
  return `127.0.0.1:${transport.port()}`
}

export async function connect(peer: Peer): Promise<void> {
  peers.push(peer)
  const endMs = performance.now() + CONNECT_LIMIT_MS
  while (
    !started()
      .peers()
      .some(({ node, state }) => node === peer.node && state === 'connected')
  ) {
    if (performance.now() > endMs) throw new Error(`no connection to ${peer.node}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Null asks the same function without a link. */
export async function run(to: string | null, concurrency: number, durationMs: number, bodyBytes: number) {
  const body = Buffer.alloc(bodyBytes, 'x')
  const open = started()
  const latencies = new Latencies()
  const startedMs = performance.now()
  const endMs = startedMs + durationMs
  let answered = 0
  const flow = async (): Promise<void> => {
    for (let nowMs = performance.now(); nowMs < endMs; ) {
      const answer =
        to === null ? await echo(body) : await open.request(to, SERVICE, body, { timeoutMs: TIMEOUT_MS })
      if (answer.length !== bodyBytes) throw new Error('an answer of another length')
      const thenMs = performance.now()
      latencies.add(thenMs - nowMs)
      nowMs = thenMs
      answered++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, flow))
  return {
    answered,
    perS: (answered * 1_000) / (performance.now() - startedMs),
    latency: latencies.summary(),
  }
}

const started = (): OpenLink => {
  if (link === null) throw new Error('the node has not started')
  return link
}
