import type { CassandraSettings } from '../../../src/persistence/engine-settings.ts'
import { openEngine } from '../../../src/persistence/open-engine.ts'
import { CassandraJournalStore } from '../../../src/persistence/cassandra/journal-store.ts'
import { CassandraLeaseStore } from '../../../src/persistence/cassandra/lease-store.ts'
import { CassandraLoadStore } from '../../../src/persistence/cassandra/load-store.ts'
import { CassandraMapStore } from '../../../src/persistence/cassandra/map-store.ts'
import { type BodiesUnderTest, describeBodies } from './body-suite.ts'
import { describeJournal } from './journal-suite.ts'
import { describeLeases } from './lease-suite.ts'
import { describeMap } from './map-suite.ts'
import { freshKeyspace } from './parts/cassandra-keyspace.ts'
import { describeJournalStore, type StoreUnderTest } from './store-suite.ts'

const open = async (): Promise<StoreUnderTest> => {
  const settings = await freshKeyspace()
  const subject: StoreUnderTest = {
    store: await CassandraJournalStore.open(settings),
    reopen: async () => {
      await subject.store[Symbol.asyncDispose]()
      subject.store = await CassandraJournalStore.open(settings)
    },
    [Symbol.asyncDispose]: () => subject.store[Symbol.asyncDispose](),
  }
  return subject
}

describeJournalStore('Cassandra', open)
describeJournal('Cassandra', open)

describeLeases('Cassandra', async () => {
  const store = await CassandraJournalStore.open(await freshKeyspace())
  return {
    leases: new CassandraLeaseStore(store.session),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
})

describeMap('Cassandra', async () => {
  const settings = await freshKeyspace()
  const [store, other] = [
    await CassandraJournalStore.open(settings),
    await CassandraJournalStore.open(settings),
  ]
  return {
    map: new CassandraMapStore(store.session),
    another: new CassandraMapStore(other.session),
    loads: new CassandraLoadStore(store.session),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
    },
  }
})

const openBodies = async (cassandra: CassandraSettings): Promise<BodiesUnderTest> => {
  const { bodies, [Symbol.asyncDispose]: close } = await openEngine({ engine: 'cassandra', cassandra })
  return {
    bodies,
    bytes: null,
    reopen: async () => {
      await close()
      return openBodies(cassandra)
    },
    [Symbol.asyncDispose]: close,
  }
}

describeBodies('Cassandra', async () => openBodies(await freshKeyspace()))
