import type { Client } from 'cassandra-driver'
import type { LeaseStore } from '../ports/lease.ts'
import type { ShardLoadStore, ShardMapStore } from '../ports/shard-map.ts'
import { cassandraKeyStoreMemory } from './cassandra/key-store-memory.ts'
import { CassandraBodyStore } from './cassandra/body-store.ts'
import { CassandraJournalStore } from './cassandra/journal-store.ts'
import { CassandraLeaseStore } from './cassandra/lease-store.ts'
import { CassandraLoadStore } from './cassandra/load-store.ts'
import { CassandraMapStore } from './cassandra/map-store.ts'
import type { CassandraSettings, EngineSettings } from './engine-settings.ts'
import { RememberedBodies } from './remembered-bodies.ts'
import { lockDataFolder } from './sqlite/folder-lock.ts'
import { FileBodyStore } from './sqlite/body-store.ts'
import { openSqliteReads, openSqliteStore } from './sqlite/journal-store.ts'
import { readSqliteMark, sqliteKeyStoreMemory } from './sqlite/key-store-memory.ts'
import type { JournalReads, JournalStore } from './store-port.ts'
import type { KeyStoreMemory } from './vault/key-store-mark.ts'
import type { KeyStoreMark } from './vault/key-store-port.ts'

/** What the nodes of a cluster share beside the journal. */
export type ClusterStores = {
  readonly leases: LeaseStore
  readonly map: ShardMapStore
  readonly loads: ShardLoadStore
}

/** Everything that one engine offers; closing the engine closes its parts. */
export type Engine = AsyncDisposable & {
  readonly store: JournalStore
  /** Null on SQLite: the lock on the data folder makes this process the only node until it ends. */
  readonly cluster: ClusterStores | null
  readonly bodies: RememberedBodies
  /** Which key store this journal was written with. */
  readonly keyStore: KeyStoreMemory
  /** The connection, for the vault, which has a keyspace in the same Cassandra; null on SQLite. */
  readonly cassandra: Client | null
}

/** The clock by which the lives of bodies were given. */
type Now = () => number

/**
 * Rejects with a sentence for the operator when the folder is in use, the server is away or the schema belongs to
 * another release.
 */
export const openEngine = (settings: EngineSettings, now: Now = Date.now): Promise<Engine> =>
  settings.engine === 'sqlite' ? openSqlite(settings.dataFolder, now) : openCassandra(settings.cassandra, now)

/** Opens the journal for reading only, which is also possible while a service runs on it. */
export const openForInspection = (settings: EngineSettings): Promise<JournalReads> =>
  settings.engine === 'sqlite'
    ? openSqliteReads(settings.dataFolder)
    : CassandraJournalStore.open(settings.cassandra)

/** What the journal remembers of its key store, also while a service runs; null where there is no journal. */
export const rememberedMark = async (settings: EngineSettings): Promise<KeyStoreMark | null> => {
  if (settings.engine === 'sqlite') return readSqliteMark(settings.dataFolder)
  const store = await CassandraJournalStore.open(settings.cassandra)
  try {
    return await cassandraKeyStoreMemory(store.session).read()
  } finally {
    await store[Symbol.asyncDispose]()
  }
}

const openSqlite = async (dataFolder: string, now: Now): Promise<Engine> => {
  const lock = lockDataFolder(dataFolder)
  try {
    const store = await openSqliteStore(dataFolder)
    const bodies = await openBodies(dataFolder, store, now)
    return {
      store,
      cluster: null,
      bodies: new RememberedBodies(bodies, now),
      keyStore: sqliteKeyStoreMemory(store),
      cassandra: null,
      [Symbol.asyncDispose]: async () => {
        await bodies[Symbol.asyncDispose]()
        await store[Symbol.asyncDispose]()
        lock[Symbol.dispose]()
      },
    }
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

const openBodies = async (dataFolder: string, store: JournalStore, now: Now): Promise<FileBodyStore> => {
  try {
    return await FileBodyStore.open(dataFolder, now)
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

const openCassandra = async (settings: CassandraSettings, now: Now): Promise<Engine> => {
  const store = await CassandraJournalStore.open(settings)
  return {
    store,
    cluster: {
      leases: new CassandraLeaseStore(store.session),
      map: new CassandraMapStore(store.session),
      loads: new CassandraLoadStore(store.session),
    },
    bodies: new RememberedBodies(new CassandraBodyStore(store.session, now), now),
    keyStore: cassandraKeyStoreMemory(store.session),
    cassandra: store.session.client,
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}
