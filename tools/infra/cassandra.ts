import { join } from 'node:path'
import { Client, policies } from 'cassandra-driver'
import { Failure } from '../../bootstrap/failure.mjs'
import { CassandraNode } from './cassandra-node.ts'
import { classPath } from './jars.ts'
import { findJava } from './java.ts'
import { startServers } from './server-process.ts'
import { type ServerSecurity, tlsOptions } from './server-security.ts'
import { portsOf } from '../harness/ports.ts'
import { untilFound } from '../harness/waiting.ts'
import { isFree } from '../../src/ledger/sandbox/reserved-ports.ts'

export type CassandraOptions = {
  /** The nodes listen on 127.0.0.1, 127.0.0.2 and so on. */
  readonly nodes?: number
  /** Kept when named; without it a temporary folder, removed at the end. */
  readonly dataDir?: string
  readonly cqlPort?: number
  /** `batch` acknowledges nothing that a power cut could take back. */
  readonly commitLogSync?: 'batch' | 'periodic'
  /** Of a piece of the commit log, which is made in its whole size and goes as a whole: small where somebody waits for that. */
  readonly logSegmentMegabytes?: number
  readonly heapMegabytes?: number
  /** Within which its nodes answer each other: more than usual where they share a machine with everything else. */
  readonly answerLimitMs?: number
  readonly security?: ServerSecurity
}

/** The name every node gives its datacenter under SimpleSnitch. */
export const LOCAL_DATACENTER = 'datacenter1'
const RING_LIMIT_MS = 60_000

/** A real Cassandra of one or several nodes, answering when this resolves. */
export const startCassandra = async (options: CassandraOptions = {}) => {
  const make = (dataDir: string) => makeNodes(dataDir, options)
  const servers = await startServers('cassandra', options.dataDir, make, async (nodes) => {
    for (const node of nodes) await untilRingIsWhole(node, nodes.length)
  })
  const contactPoints = servers.nodes.map(({ endpoint }) => endpoint)
  return { ...servers, contactPoints, localDatacenter: LOCAL_DATACENTER }
}

export type Cassandra = Awaited<ReturnType<typeof startCassandra>>

const makeNodes = async (dataDir: string, options: CassandraOptions): Promise<CassandraNode[]> => {
  const addresses = Array.from({ length: options.nodes ?? 1 }, (_, index) => `127.0.0.${index + 1}`)
  const ports = await portsOf(dataDir, {
    cql: options.cqlPort,
    storage: undefined,
    ...Object.fromEntries(addresses.map((_, index) => [`jmx${index + 1}`, undefined])),
  })
  const cqlPort = ports['cql'] ?? 0
  for (const address of addresses) {
    if (await isFree(address, cqlPort)) continue
    throw new Failure(
      `${address}:${cqlPort} is taken or cannot be used: choose another with --cql-port (macOS: sudo ifconfig lo0 alias ${address}).`,
    )
  }
  const [java, jars] = [await findJava(), await classPath('cassandra')]
  return addresses.map((address, index) => {
    const settings = {
      folder: join(dataDir, `node-${index + 1}`),
      address,
      seed: '127.0.0.1',
      cqlPort,
      storagePort: ports['storage'] ?? 0,
      jmxPort: ports[`jmx${index + 1}`] ?? 0,
      commitLogSync: options.commitLogSync ?? 'batch',
      heapMegabytes: options.heapMegabytes ?? 512,
      classPath: jars,
      ...(options.logSegmentMegabytes !== undefined && { logSegmentMegabytes: options.logSegmentMegabytes }),
      ...(options.answerLimitMs !== undefined && { answerLimitMs: options.answerLimitMs }),
      ...(options.security && { security: options.security }),
    } as const
    return new CassandraNode(java, settings)
  })
}

const untilRingIsWhole = async (
  { endpoint, settings, logFile }: CassandraNode,
  size: number,
): Promise<void> => {
  const { AllowListPolicy, RoundRobinPolicy } = policies.loadBalancing
  const { security } = settings
  /** A client for each look: the first user comes a moment after the port. */
  const look = async (): Promise<boolean> => {
    const client = new Client({
      contactPoints: [endpoint],
      localDataCenter: LOCAL_DATACENTER,
      policies: { loadBalancing: new AllowListPolicy(new RoundRobinPolicy(), [endpoint]) },
      ...(security && {
        sslOptions: tlsOptions(security),
        credentials: { username: security.username, password: security.password },
      }),
    })
    try {
      await client.connect()
      return (await client.execute('SELECT peer FROM system.peers_v2')).rowLength >= size - 1
    } catch (error) {
      if (security === undefined) throw error
      return false
    } finally {
      await client.shutdown()
    }
  }
  const sentence = `Cassandra on ${settings.address} does not see the other nodes: look into ${logFile}.`
  await untilFound(look, { limitMs: RING_LIMIT_MS, everyMs: 200, otherwise: () => new Failure(sentence) })
}
