import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { Client } from 'cassandra-driver'
import { keyspaceOfKeys, migrateCassandra } from '../../src/persistence/cassandra/migrate.ts'
import { createMasterKeyFile, newMasterKey } from '../../src/persistence/vault/master-key-file.ts'
import { CassandraNode } from '../../tools/infra/cassandra-node.ts'
import { findJava } from '../../tools/infra/java.ts'
import { cleanUp, storeUncompressed } from '../../tools/scan/cassandra.ts'
import { keyRowsOfCassandra } from '../../tools/scan/open-keys.ts'
import { type Disk, embeddedDisk } from '../../tools/scan/scan.ts'
import { settingsOf } from '../contract/journal/parts/cassandra-keyspace.ts'
import { scannedServers } from '../engines/engines.ts'
import { type ScannedServers, startScannedServers } from '../engines/scanned-servers.ts'
import { clusterSettings } from './backends.ts'

type ScannedStore = {
  readonly settings: Readonly<Record<string, string>>
  readonly disk: Disk
  /** As an operator of a cluster does it. */
  readonly cleanUp: () => Promise<void>
  /** Copies journal, bodies and keys while the service runs, as the manual says. */
  readonly backUp: (to: string) => Promise<void>
  /** Destroys what there is and puts the copy in its place, while no service runs; only of servers that nobody else uses. */
  readonly restore: (from: string) => Promise<void>
  /** Puts the journal of the copy beside the keys of today, while no service runs. */
  readonly restoreJournal: (from: string) => Promise<void>
  readonly close: () => Promise<void>
}

type Stores = readonly { readonly name: string; readonly open: (folder: string) => Promise<ScannedStore> }[]

/** Where a service keeps its data, with every file of it in reach. */
export const scannedStores = storesOn(async () => {
  const address = await scannedServers()
  const node = new CassandraNode(await findJava(), address.node)
  return { address, node, stop: async () => undefined }
})

/** The same with servers that a suite may stop and empty. */
export const scannedStoresOfOwn = storesOn(startScannedServers)

type Servers = {
  readonly address: ScannedServers
  readonly node: CassandraNode
  readonly stop: () => Promise<void>
}

function storesOn(servers: () => Promise<Servers>): Stores {
  return [
    {
      name: 'SQLite',
      open: async (folder) => ({
        settings: {},
        disk: embeddedDisk(folder),
        cleanUp: async () => undefined,
        backUp: (to) => copyFolder(folder, to),
        restore: async (from) => {
          rmSync(folder, { recursive: true })
          cpSync(from, folder, { recursive: true })
        },
        restoreJournal: async (from) => {
          loseLists(folder)
          for (const name of readdirSync(folder).filter((each) => each.startsWith('journal.db')))
            rmSync(join(folder, name))
          for (const name of ['journal.db', 'bodies']) cpSync(join(from, name), join(folder, name))
        },
        close: async () => undefined,
      }),
    },
    { name: 'Cassandra and Kafka', open: async (folder) => openCluster(folder, await servers()) },
  ]
}

const DATABASES = ['journal.db', join('vault', 'keys.sqlite')]

/** SQLite copies its own files; the keys come last. Lists are made from the journal. */
const copyFolder = async (folder: string, to: string): Promise<void> => {
  const isOpen = (path: string): boolean =>
    [...DATABASES, 'directory.sqlite', 'local-credential'].some((name) => path.startsWith(join(folder, name)))
  const copyDatabase = async (name: string): Promise<void> => {
    const database = new BetterSqlite3(join(folder, name), { readonly: true })
    await database.backup(join(to, name))
    database.close()
  }
  mkdirSync(join(to, 'vault'), { recursive: true })
  await copyDatabase('journal.db')
  cpSync(folder, to, { recursive: true, filter: (path) => !isOpen(path) })
  await copyDatabase(join('vault', 'keys.sqlite'))
}

/** Each table's files, in a folder of its name; where they were made they are gone, as `nodetool clearsnapshot` does it. */
const moveSnapshot = (data: string, to: string): void => {
  for (const table of readdirSync(data)) {
    const snapshots = join(data, table, 'snapshots')
    const snapshot = join(snapshots, 'backup')
    if (existsSync(snapshot)) cpSync(snapshot, join(to, table.split('-')[0] ?? ''), { recursive: true })
    rmSync(snapshots, { recursive: true, force: true })
  }
}

/** A table without rows has no files of data, and each import is a program of Java that starts. */
const hasRows = (folder: string): boolean => readdirSync(folder).some((file) => file.endsWith('-Data.db'))

const loseLists = (folder: string): void => {
  for (const file of readdirSync(folder).filter((each) => each.startsWith('directory.sqlite')))
    rmSync(join(folder, file))
}

const openCluster = async (folder: string, { address, node, stop }: Servers): Promise<ScannedStore> => {
  const settings = settingsOf({
    contactPoints: address.contactPoints,
    localDatacenter: address.localDatacenter,
  })
  await migrateCassandra(settings)
  const connected = async (): Promise<Client> => {
    const made = new Client({
      contactPoints: [...settings.contactPoints],
      localDataCenter: settings.localDatacenter,
    })
    await made.connect()
    return made
  }
  let client = await connected()
  const importTable = async (keyspace: string, table: string, from: string): Promise<void> => {
    const files = join(from, keyspace, table)
    if (hasRows(files)) await node.nodetool('import', '--copy-data', keyspace, table, files)
  }
  const keys = keyspaceOfKeys(settings.keyspace)
  for (const keyspace of [settings.keyspace, keys]) await storeUncompressed(client, keyspace)
  const keyFile = join(folder, 'vault.key')
  createMasterKeyFile(keyFile, newMasterKey())
  return {
    settings: clusterSettings(settings, address.brokers, keyFile),
    disk: { folders: [folder, address.folder], keyFile, readKeys: () => keyRowsOfCassandra(client, keys) },
    cleanUp: () => cleanUp(client, { nodes: [node] }, settings.keyspace),
    backUp: async (to) => {
      await node.nodetool('snapshot', '-t', 'backup', settings.keyspace, keys)
      for (const keyspace of [settings.keyspace, keys])
        moveSnapshot(join(node.settings.folder, 'data', keyspace), join(to, keyspace))
    },
    restoreJournal: async (from) => {
      loseLists(folder)
      for (const table of readdirSync(join(from, settings.keyspace))) {
        await client.execute(`TRUNCATE ${settings.keyspace}.${table}`)
        await importTable(settings.keyspace, table, from)
      }
    },
    restore: async (from) => {
      loseLists(folder)
      await client.shutdown()
      await node.stop()
      rmSync(node.settings.folder, { recursive: true })
      await node.start()
      await migrateCassandra(settings)
      client = await connected()
      for (const keyspace of [settings.keyspace, keys]) {
        await storeUncompressed(client, keyspace)
        for (const table of readdirSync(join(from, keyspace))) await importTable(keyspace, table, from)
      }
    },
    close: async () => {
      // Others need not look through it.
      for (const keyspace of [settings.keyspace, keys]) await client.execute(`DROP KEYSPACE ${keyspace}`)
      await client.shutdown()
      await stop()
    },
  }
}
