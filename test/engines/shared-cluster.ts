import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { clusterIn } from '../../tools/cluster/cluster.ts'
import { existingLayout, paths } from '../../tools/cluster/layout.ts'
import { HOST, nodeName, sharedSettings } from '../../tools/cluster/settings.ts'
import { httpEngine } from '../e2e/against.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import type { CassandraAddress, KafkaAddress } from './engines.ts'

/** Three nodes that all suites of a run share; each makes organisations of its own. */
export type ClusterAddress = {
  readonly folder: string
  /** Where the proxy listens, and wallets with it. */
  readonly proxyUrl: string
  readonly authorityFile: string
  readonly nodes: readonly ClusterNode[]
  /** What all nodes are set to; it finds the journal and its keys. */
  readonly settings: Readonly<Record<string, string>>
}

export type ClusterNode = {
  readonly name: string
  readonly url: string
  readonly privateUrl: string
  readonly dataFolder: string
  readonly logFile: string
}

const NODES = 3
const KEYSPACE = 'shared_cluster'
const SHOWN_OF_LOG = 4_000

/** A machine that runs tests has stores slower than any cluster's; what is shown is not how fast they are. */
const PATIENCE = {
  VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS: '20000',
  VOUCHSAFE_VAULT_TIMEOUT_MS: '20000',
  VOUCHSAFE_PROBE_TIMEOUT_MS: '20000',
  VOUCHSAFE_DEAD_AFTER_MS: '20000',
  VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '1000000',
  VOUCHSAFE_SESSION_REQUESTS_PER_MINUTE: '1000000',
  VOUCHSAFE_CRYPTO_WORKERS: '1',
}

const allOn = (engine: typeof httpEngine): Readonly<Record<string, string>> =>
  engine === null ? {} : { VOUCHSAFE_HTTP_ENGINE: engine }

export const startSharedCluster = async (cassandra: CassandraAddress, kafka: KafkaAddress) => {
  const folder = join(temporaryFolder('shared-cluster'), 'cluster')
  const cluster = clusterIn(folder)
  const wanted = {
    nodes: NODES,
    port: await reservePorts(1),
    engines: { are: 'attached', contactPoints: cassandra.contactPoints, brokers: kafka.brokers },
    name: KEYSPACE,
    more: {
      ...PATIENCE,
      VOUCHSAFE_CASSANDRA_LOCAL_DATACENTER: cassandra.localDatacenter,
      ...allOn(httpEngine),
    },
    // Each server has its turn, where a run does not want one of them everywhere.
    ...(httpEngine === null && { ofNode: { 2: allOn('node') } }),
  } as const
  try {
    await cluster.up(wanted)
  } catch (error) {
    throw new Error(`${String(error)}\n${lastWordsIn(folder)}`, { cause: error })
  }
  const layout = existingLayout(folder)
  const { url: proxyUrl, authorityFile } = cluster.place()
  const address: ClusterAddress = {
    folder,
    proxyUrl,
    authorityFile,
    settings: sharedSettings(folder, layout),
    nodes: layout.nodes.map((node) => ({
      name: nodeName(node),
      url: `http://${HOST}:${node.port}`,
      privateUrl: `http://${HOST}:${node.privatePort}`,
      dataFolder: paths(folder).data(node.number),
      logFile: cluster.logFile(nodeName(node)),
    })),
  }
  return { address, stop: () => cluster.down(true) }
}

const lastWordsIn = (folder: string): string =>
  Array.from({ length: NODES }, (_, index) => nodeName({ number: index + 1 }))
    .map((name) => join(folder, name, `${name}.log`))
    .filter((file) => existsSync(file))
    .map((file) => `${file}:\n${readFileSync(file, 'utf8').slice(-SHOWN_OF_LOG)}`)
    .join('\n')
