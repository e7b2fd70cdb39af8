import { openLink, type OpenLink } from '../../src/cluster/link/link.ts'
import { linkDefaults } from '../../src/cluster/link/link-settings.ts'
import { linkSecret } from '../../src/cluster/link/sockets/secret.ts'
import { secretsOf } from '../../src/cluster/link/sockets/secret-file.ts'
import { socketTransport } from '../../src/cluster/link/sockets/socket-transport.ts'
import type { Peer } from '../../src/cluster/link/wire.ts'
import type { Runtime } from '../../src/ports/runtime.ts'
import { createLog } from '../../src/telemetry/logger.ts'

const CONNECT_LIMIT_MS = 30_000
const LOOK_EVERY_MS = 10

/** The link of one node as nodes have it, encryption and proofs included, on a port that the system chooses. */
export const benchLink = (node: string, runtime: Runtime) => {
  const peers: Peer[] = []
  const log = createLog({ level: 'silent' })
  const { bodyBytesMax } = linkDefaults
  const secrets = secretsOf(() => [linkSecret('the secret of a benchmark, long enough for a cluster')])
  const incarnation = runtime.newId()
  const proving = { node, incarnation: () => incarnation, isNow: async () => true }
  const at = { ...proving, host: '127.0.0.1', port: 0 }
  const transport = socketTransport({ ...at, secrets, runtime, log, bodyBytesMax })
  const link: OpenLink = openLink({
    node,
    transport,
    runtime,
    settings: linkDefaults,
    log,
    peers: () => peers,
  })
  const isConnected = (to: string): boolean =>
    link.peers().some(({ node: name, state }) => name === to && state === 'connected')
  return {
    link,
    /** After every handler was said; answers with its address. */
    start: async (): Promise<string> => {
      await link.start()
      return `127.0.0.1:${transport.port()}`
    },
    connect: async (peer: Peer): Promise<void> => {
      peers.push(peer)
      const endMs = performance.now() + CONNECT_LIMIT_MS
      while (!isConnected(peer.node)) {
        if (performance.now() > endMs) throw new Error(`no connection to ${peer.node}`)
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
    },
  }
}
