// A node in a process of its own, which can be frozen.
import { openLink } from '../../../../src/cluster/link/link.ts'
import { linkDefaults } from '../../../../src/cluster/link/link-settings.ts'
import { linkSecret } from '../../../../src/cluster/link/sockets/secret.ts'
import { secretsOf } from '../../../../src/cluster/link/sockets/secret-file.ts'
import { socketTransport } from '../../../../src/cluster/link/sockets/socket-transport.ts'
import type { Peer } from '../../../../src/cluster/link/wire.ts'
import { createRuntime } from '../../../../src/host/runtime.ts'
import { silentLog } from '../../../silent-log.ts'

const SECRET = 'the secret of this cluster, which is long enough'

/** Its address. The service `count` says how many requests for it were begun. */
export async function start(node: string, peers: readonly Peer[]): Promise<string> {
  const runtime = createRuntime()
  const incarnation = runtime.newId()
  const transport = socketTransport({
    node,
    incarnation: () => incarnation,
    isNow: async () => true,
    host: '127.0.0.1',
    port: 0,
    secrets: secretsOf(() => [linkSecret(SECRET)]),
    runtime,
    log: silentLog,
    bodyBytesMax: linkDefaults.bodyBytesMax,
  })
  const settings = { ...linkDefaults, heartbeatMs: 100, silentMs: 400 }
  const link = openLink({ node, transport, runtime, settings, log: silentLog, peers: () => peers })
  let begun = 0
  link.handle('echo', async (body) => body)
  link.handle('count', async () => Buffer.from(`${++begun}`))
  await link.start()
  return `127.0.0.1:${transport.port()}`
}
