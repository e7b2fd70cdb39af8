import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Client, policies } from 'cassandra-driver'
import { Failure } from '../../bootstrap/failure.mjs'
import { CassandraNode } from './cassandra-node.ts'
import { classPath } from './jars.ts'
import { findJava } from './java.ts'
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
  readonly heapMegabytes?: number
}

export type Cassandra = AsyncDisposable & {
  readonly nodes: readonly CassandraNode[]
  readonly contactPoints: readonly string[]
  readonly localDatacenter: string
  readonly dataDir: string
  stop(): Promise<void>
}

/** The name every node gives its datacenter under SimpleSnitch. */
export const LOCAL_DATACENTER = 'datacenter1'
const RING_LIMIT_MS = 60_000

/** A real Cassandra of one or several nodes, answering when this resolves. */
export const startCassandra = async (options: CassandraOptions = {}): Promise<Cassandra> => {
  const dataDir = resolve(options.dataDir ?? mkdtempSync(join(tmpdir(), 'vouchsafe-cassandra-')))
  const nodes = await makeNodes(dataDir, options)
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.stop()))
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  try {
    // One after the other: each takes its tokens from a ring that already knows those before it.
    for (const node of nodes) await node.start()
    for (const node of nodes) await untilRingIsWhole(node, nodes.length)
  } catch (error) {
    await stop()
    throw error
  }
  const contactPoints = nodes.map((node) => node.contactPoint)
  return {
    nodes,
    contactPoints,
    localDatacenter: LOCAL_DATACENTER,
    dataDir,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const makeNodes = async (dataDir: string, options: CassandraOptions): Promise<CassandraNode[]> => {
  const addresses = Array.from({ length: options.nodes ?? 1 }, (_, index) => `127.0.0.${index + 1}`)
  const jmxPorts = addresses.map((_, index): [string, undefined] => [`jmx${index + 1}`, undefined])
  const ports = await portsOf(dataDir, {
    cql: options.cqlPort,
    storage: undefined,
    ...Object.fromEntries<undefined>(jmxPorts),
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
    const folder = join(dataDir, `node-${index + 1}`)
    const settings = {
      folder,
      address,
      seed: '127.0.0.1',
      cqlPort,
      storagePort: ports['storage'] ?? 0,
      jmxPort: ports[`jmx${index + 1}`] ?? 0,
      commitLogSync: options.commitLogSync ?? 'batch',
      heapMegabytes: options.heapMegabytes ?? 512,
      classPath: jars,
    } as const
    return new CassandraNode(java, settings)
  })
}

const untilRingIsWhole = async (node: CassandraNode, size: number): Promise<void> => {
  const client = new Client({
    contactPoints: [node.contactPoint],
    localDataCenter: LOCAL_DATACENTER,
    policies: {
      loadBalancing: new policies.loadBalancing.AllowListPolicy(
        new policies.loadBalancing.RoundRobinPolicy(),
        [node.contactPoint],
      ),
    },
  })
  try {
    await client.connect()
    const look = async () => (await client.execute('SELECT peer FROM system.peers_v2')).rowLength >= size - 1
    const sentence = `Cassandra on ${node.address} does not see the other nodes: look into ${node.logFile}.`
    await untilFound(look, { limitMs: RING_LIMIT_MS, everyMs: 200, otherwise: () => new Failure(sentence) })
  } finally {
    await client.shutdown()
  }
}
