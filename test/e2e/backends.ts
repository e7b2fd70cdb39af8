import { join } from 'node:path'
import type { CassandraSettings } from '../../src/persistence/engine-settings.ts'
import { migrateCassandra } from '../../src/persistence/cassandra/migrate.ts'
import { createMasterKeyFile, newMasterKey } from '../../src/persistence/vault/master-key-file.ts'
import { linkSettings } from '../../tools/harness/cluster-secret.ts'
import { settingsOf } from '../contract/journal/parts/cassandra-keyspace.ts'
import { cassandra, kafka } from '../engines/engines.ts'

export type Backend = {
  readonly name: string
  readonly settings: (folder: string) => Promise<Readonly<Record<string, string>>>
}

/** The same service on everything its truth and its events may live in. */
export const backends: readonly Backend[] = [
  { name: 'SQLite, events within the process', settings: async () => ({}) },
  { name: 'Cassandra and Kafka', settings: (folder) => sharedCluster(folder) },
]

const sharedCluster = async (folder: string): Promise<Readonly<Record<string, string>>> => {
  const [address, { brokers }] = await Promise.all([cassandra(), kafka()])
  const settings = settingsOf(address)
  await migrateCassandra(settings)
  const keyFile = join(folder, 'vault.key')
  createMasterKeyFile(keyFile, newMasterKey())
  return clusterSettings(settings, brokers, keyFile)
}

export const clusterSettings = (
  settings: CassandraSettings,
  brokers: readonly string[],
  keyFile: string,
): Readonly<Record<string, string>> => ({
  VOUCHSAFE_JOURNAL: 'cassandra',
  VOUCHSAFE_CASSANDRA_CONTACT_POINTS: settings.contactPoints.join(','),
  VOUCHSAFE_CASSANDRA_LOCAL_DATACENTER: settings.localDatacenter,
  VOUCHSAFE_CASSANDRA_KEYSPACE: settings.keyspace,
  VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR: '1',
  VOUCHSAFE_VAULT_KEY_FILE: keyFile,
  ...linkSettings(keyFile),
  // The machine is busy with other suites and their servers.
  VOUCHSAFE_VAULT_TIMEOUT_MS: '20000',
  VOUCHSAFE_STREAM: 'kafka',
  VOUCHSAFE_KAFKA_BROKERS: brokers.join(','),
  VOUCHSAFE_KAFKA_TOPIC_PREFIX: settings.keyspace,
})
