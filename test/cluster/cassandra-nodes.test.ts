import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CassandraJournalStore } from '../../src/persistence/cassandra/journal-store.ts'
import { migrateCassandra } from '../../src/persistence/cassandra/migrate.ts'
import type { CassandraSettings } from '../../src/persistence/engine-settings.ts'
import { type LogSlot, StoreFailure } from '../../src/persistence/store-port.ts'
import { type Cassandra, startCassandra } from '../../tools/infra/cassandra.ts'
import { settingsOf } from '../contract/journal/parts/cassandra-keyspace.ts'
import { batchSlot, entry, openSlot, someActor } from '../contract/journal/parts/slots.ts'

const START_LIMIT_MS = 600_000
const TEST_LIMIT_MS = 300_000

/** Three copies of every row: what two nodes agree on is so, whatever the third one does. */
describe('the journal on three Cassandra nodes', () => {
  let servers: Cassandra
  let settings: CassandraSettings
  let store: CassandraJournalStore
  let witness: CassandraJournalStore

  /**
   * As the protocol does: the same slot again until its occupant is known, with a pause: while the driver knows of no
   * node that is up it refuses without looking, and a loop that never pauses would keep it from looking again.
   */
  const settle = async (slot: LogSlot, by = store): Promise<'ours' | 'anothers'> => {
    for (;;) {
      try {
        const outcome = await by.append(slot)
        if (outcome.is === 'written') return 'ours'
        if (outcome.is === 'retired') throw new Error('the segment is retired')
        return outcome.batchId === slot.batchId ? 'ours' : 'anothers'
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error
        await pause(50)
      }
    }
  }

  beforeAll(async () => {
    servers = await startCassandra({ nodes: 3, heapMegabytes: 512 })
    settings = { ...settingsOf(servers, 3), requestTimeoutMs: 5_000 }
    await migrateCassandra(settings)
    store = await CassandraJournalStore.open(settings)
    witness = await CassandraJournalStore.open(settings)
  }, START_LIMIT_MS)
  afterAll(async () => {
    await store?.[Symbol.asyncDispose]()
    await witness?.[Symbol.asyncDispose]()
    await servers?.stop()
  })

  it('gives each slot to one of the writers that race for it', { timeout: TEST_LIMIT_MS }, async () => {
    for (let no = 0; no < 10; no++) {
      const outcomes = await Promise.all([
        settle(openSlot(0, no, 1), store),
        settle(openSlot(0, no, 2), witness),
      ])
      expect(outcomes.toSorted()).toEqual(['anothers', 'ours'])
    }
    expect(await witness.readLog(0, 0, 20)).toEqual(await store.readLog(0, 0, 20))
  })

  it('loses nothing and stops for nobody when a node is killed', { timeout: TEST_LIMIT_MS }, async () => {
    const actor = someActor(1)
    const written: LogSlot[] = []
    for (let no = 0; no < 30; no++) {
      if (no === 10) await servers.nodes[2]?.kill()
      if (no === 20) await servers.nodes[2]?.start()
      const slot = batchSlot(1, no, 1, [entry(actor, no + 1)])
      expect(await settle(slot)).toBe('ours')
      await store.copy(1, [slot])
      written.push(slot)
    }
    expect(await witness.readLog(1, 0, 100)).toEqual(written)
    expect(await witness.readEvents(actor, 0)).toHaveLength(30)
  })

  it('fails while two nodes are away, and goes on by itself', { timeout: TEST_LIMIT_MS }, async () => {
    await expect(settle(openSlot(2, 0, 1))).resolves.toBe('ours')
    await Promise.all(servers.nodes.slice(1).map((node) => node.kill()))
    const attempted = openSlot(2, 1, 1)
    const failure = await store.append(attempted).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StoreFailure)
    await expect(store.readLog(2, 0, 10)).rejects.toThrow(StoreFailure)
    await expect(store.probe()).rejects.toThrow(StoreFailure)
    for (const node of servers.nodes.slice(1)) await node.start()
    expect(await settle(attempted)).toBe('ours')
    expect((await witness.readLog(2, 0, 10)).map((slot) => slot.no)).toEqual([0, 1])
  })

  it('takes no answer for a yes while a node is frozen', { timeout: TEST_LIMIT_MS }, async () => {
    const frozen = servers.nodes[1]
    frozen?.freeze()
    const slots = [0, 1, 2].map((no) => openSlot(3, no, 1))
    try {
      for (const slot of slots) expect(await settle(slot)).toBe('ours')
    } finally {
      frozen?.thaw()
    }
    expect(await witness.readLog(3, 0, 10)).toEqual(slots)
  })
})
