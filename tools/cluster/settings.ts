import { join } from 'node:path'
import { type Layout, type NodePlace, paths } from './layout.ts'

export type Settings = Readonly<Record<string, string>>

export const HOST = '127.0.0.1'
export const publicUrl = ({ proxyPort }: Layout): string => `https://localhost:${proxyPort}`
export const nodeName = ({ number }: Pick<NodePlace, 'number'>): string => `node-${number}`

const cassandraOf = ({ engines }: Layout): readonly string[] =>
  engines.are === 'attached'
    ? engines.contactPoints
    : Array.from({ length: engines.cassandraNodes }, (_, index) => `127.0.0.${index + 1}:${engines.cqlPort}`)

const kafkaOf = ({ engines }: Layout): readonly string[] =>
  engines.are === 'attached' ? engines.brokers : [`${HOST}:${engines.kafkaPort}`]

/** The settings that all nodes share; `migrate` runs with them alone. */
export const sharedSettings = (folder: string, layout: Layout): Settings => ({
  VOUCHSAFE_PUBLIC_URL: publicUrl(layout),
  // Who reaches a node from this machine under this address is the proxy.
  VOUCHSAFE_TRUSTED_PROXIES: HOST,
  VOUCHSAFE_VAULT_KEY_FILE: paths(folder).vaultKey,
  VOUCHSAFE_CLUSTER_SECRET_FILE: paths(folder).clusterSecret,
  VOUCHSAFE_JOURNAL: 'cassandra',
  VOUCHSAFE_CASSANDRA_CONTACT_POINTS: cassandraOf(layout).join(','),
  VOUCHSAFE_CASSANDRA_KEYSPACE: layout.name,
  VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR: String(layout.replicationFactor),
  VOUCHSAFE_STREAM: 'kafka',
  VOUCHSAFE_KAFKA_BROKERS: kafkaOf(layout).join(','),
  VOUCHSAFE_KAFKA_TOPIC_PREFIX: layout.name,
  VOUCHSAFE_LEDGER: 'indy',
  VOUCHSAFE_LEDGER_GENESIS_FILE: join(paths(folder).ledger, 'genesis.txn'),
  VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE: join(paths(folder).ledger, 'endorser.seed'),
  // Wallets and the endpoints of webhooks are on this machine too.
  VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
  // The proxy asks for readiness four times a second.
  VOUCHSAFE_SHUTDOWN_DELAY_MS: '2000',
  // Their logs grow until `down --wipe`.
  VOUCHSAFE_ACCESS_LOG: 'false',
  ...layout.more,
})

/** What a node has for itself. */
export const nodeSettings = (folder: string, { ofNode }: Layout, node: NodePlace): Settings => ({
  PORT: String(node.port),
  VOUCHSAFE_PRIVATE_PORT: String(node.privatePort),
  VOUCHSAFE_NODE_NAME: nodeName(node),
  VOUCHSAFE_NODE_ADDRESS: `${HOST}:${node.privatePort}`,
  VOUCHSAFE_DATA_FOLDER: paths(folder).data(node.number),
  VOUCHSAFE_LINK_PORT: String(node.linkPort),
  ...ofNode?.[node.number],
})

/** An environment in which the service finds these settings and none that were meant for another. */
export const environmentOf = (...settings: readonly Settings[]): NodeJS.ProcessEnv => {
  const outside = Object.entries(process.env).filter(
    ([name]) => name === 'VOUCHSAFE_CACHE_FOLDER' || !(name.startsWith('VOUCHSAFE_') || name === 'PORT'),
  )
  return Object.assign(Object.fromEntries(outside), ...settings) as NodeJS.ProcessEnv
}
