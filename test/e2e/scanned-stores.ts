import { join } from 'node:path'
import { Client } from 'cassandra-driver'
import { keyspaceOfKeys, migrateCassandra } from '../../src/persistence/cassandra/migrate.ts'
import { createMasterKeyFile, newMasterKey } from '../../src/persistence/vault/master-key-file.ts'
import { startCassandra } from '../../tools/infra/cassandra.ts'
import { startKafka } from '../../tools/infra/kafka.ts'
import { cleanUp, storeUncompressed } from '../../tools/scan/cassandra.ts'
import { keyRowsOfCassandra } from '../../tools/scan/open-keys.ts'
import { type Disk, embeddedDisk } from '../../tools/scan/scan.ts'
import { settingsOf } from '../contract/journal/parts/cassandra-keyspace.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { clusterSettings } from './backends.ts'

type ScannedStore = {
  readonly settings: Readonly<Record<string, string>>
  readonly disk: Disk
  /** As an operator of a cluster does it. */
  readonly cleanUp: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Where a service keeps its data, with every file of it in reach. */
export const scannedStores: readonly {
  readonly name: string
  readonly open: (folder: string) => Promise<ScannedStore>
}[] = [
  {
    name: 'SQLite',
    open: async (folder) => ({
      settings: {},
      disk: embeddedDisk(folder),
      cleanUp: async () => undefined,
      close: async () => undefined,
    }),
  },
  { name: 'Cassandra and Kafka', open: (folder) => openCluster(folder) },
]

/** Servers of its own, because the files of those that suites share hold what others wrote. */
const openCluster = async (folder: string): Promise<ScannedStore> => {
  const servers = temporaryFolder('scanned-servers')
  const cassandra = await startCassandra({ dataDir: join(servers, 'cassandra'), commitLogSync: 'periodic' })
  const kafka = await startKafka({ dataDir: join(servers, 'kafka') })
  const settings = settingsOf(cassandra)
  await migrateCassandra(settings)
  const client = new Client({
    contactPoints: [...settings.contactPoints],
    localDataCenter: settings.localDatacenter,
  })
  await client.connect()
  const keys = keyspaceOfKeys(settings.keyspace)
  for (const keyspace of [settings.keyspace, keys]) await storeUncompressed(client, keyspace)
  const keyFile = join(folder, 'vault.key')
  createMasterKeyFile(keyFile, newMasterKey())
  return {
    settings: clusterSettings(settings, kafka.brokers, keyFile),
    disk: { folders: [folder, servers], keyFile, readKeys: () => keyRowsOfCassandra(client, keys) },
    cleanUp: () => cleanUp(client, cassandra, settings.keyspace),
    close: async () => {
      await client.shutdown()
      await kafka.stop()
      await cassandra.stop()
    },
  }
}
