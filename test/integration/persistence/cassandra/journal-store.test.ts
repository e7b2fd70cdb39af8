import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CassandraJournalStore } from '../../../../src/persistence/cassandra/journal-store.ts'
import type { CassandraSettings } from '../../../../src/persistence/engine-settings.ts'
import { StoreFailure } from '../../../../src/persistence/store-port.ts'
import { freshKeyspace } from '../../../contract/journal/parts/cassandra-keyspace.ts'
import { batchSlot, entry, openSlot, someActor, timer } from '../../../contract/journal/parts/slots.ts'

describe('the store of the distributed engine', () => {
  let settings: CassandraSettings
  let store: CassandraJournalStore
  beforeAll(async () => {
    settings = await freshKeyspace()
    store = await CassandraJournalStore.open(settings)
  })
  afterAll(() => store[Symbol.asyncDispose]())

  it('has the slot at once, and what hangs on it when it was copied', async () => {
    const actor = someActor(1)
    const slot = batchSlot(1, 1, 1, [entry(actor, 1, { set: [timer(actor, 5)] })])
    await store.append(openSlot(1, 0, 1))
    await store.append(slot)
    expect(store.copies).toBe('deferred')
    expect([await store.readLog(1, 1, 9), await store.readEvents(actor, 0)]).toEqual([[slot], []])
    await store.copy(1, [slot])
    expect(await store.readEvents(actor, 0)).toHaveLength(1)
    expect(await store.timersDue(1, 0, 9, null, 9)).toEqual([timer(actor, 5)])
    expect(await store.listActors(1, null, 9)).toEqual([actor])
  })

  it('copies many actors, far more than are written at once', async () => {
    const actors = Array.from({ length: 300 }, () => someActor(2))
    await store.copy(2, [
      batchSlot(
        2,
        0,
        1,
        actors.map((actor) => entry(actor, 1)),
      ),
    ])
    const counts = await Promise.all(actors.map(async (actor) => (await store.readEvents(actor, 0)).length))
    expect(counts.every((count) => count === 1)).toBe(true)
  })

  it('works with the quorum of a datacenter', async () => {
    const local = await CassandraJournalStore.open({ ...settings, consistency: 'local_quorum' })
    await local.probe()
    expect(await local.append(openSlot(3, 0, 1))).toEqual({ is: 'written' })
    expect(await store.readLog(3, 0, 9)).toHaveLength(1)
    await local[Symbol.asyncDispose]()
  })

  it('fails in a way that may be tried again when its connection is closed', async () => {
    const closed = await CassandraJournalStore.open(settings)
    await closed[Symbol.asyncDispose]()
    await expect(closed.probe()).rejects.toBeInstanceOf(StoreFailure)
  })
})
