import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore, type SqliteJournalStore } from '../../../src/persistence/sqlite/journal-store.ts'
import { batchSlot, entry, someActor } from '../../contract/journal/parts/slots.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const EVENTS_PER_BATCH = 50

/** The writer keeps ends of chains and slots in memory for a while; nothing may be missing at any moment. */
describe('what is flushed in lots', () => {
  let folder: string
  let store: SqliteJournalStore
  beforeEach(async () => {
    folder = temporaryFolder('flushing')
    store = await openSqliteStore(folder)
  })
  afterEach(async () => {
    await store[Symbol.asyncDispose]()
  })

  const reopen = async (): Promise<void> => {
    await store[Symbol.asyncDispose]()
    store = await openSqliteStore(folder)
  }

  /** Batches `from` to `to` of one actor, and one batch of a new actor in another shard beside each. */
  const write = async (actor: string, from: number, to: number): Promise<void> => {
    for (let no = from; no < to; no++) {
      const seq = no * EVENTS_PER_BATCH + 1
      const bystander = batchSlot(2, no, 1, [entry(someActor(2), 1)])
      await Promise.all([
        store.append(batchSlot(1, no, 1, [entry(actor, seq, { events: EVENTS_PER_BATCH })])),
        store.append(bystander),
      ])
    }
  }

  const expectAll = async (actor: string, batches: number): Promise<void> => {
    const events = await store.readEvents(actor, 0)
    expect(events.map((event) => event.seq)).toEqual(
      Array.from({ length: batches * EVENTS_PER_BATCH }, (_, index) => index + 1),
    )
    expect(await store.readLog(1, 0, 10_000)).toHaveLength(batches)
    expect((await store.readCheckpoint(1))?.copiedNo).toBe(batches - 1)
    expect(await store.listActors(2, null, 10_000)).toHaveLength(batches)
  }

  it('is read with what is not, across flushes and restarts', async () => {
    const actor = someActor(1)
    await write(actor, 0, 10)
    await expectAll(actor, 10)
    await reopen()
    await expectAll(actor, 10)
    // 700 batches of 50 events pass the 32,768 events after which the ends are written.
    await write(actor, 10, 700)
    await expectAll(actor, 700)
    await write(actor, 700, 710)
    await expectAll(actor, 710)
    await reopen()
    await expectAll(actor, 710)
    await write(actor, 710, 712)
    await expectAll(actor, 712)
  })

  it('is found in the index after many slots', async () => {
    const slots = 9_000
    for (let no = 0; no < slots; no += 100) {
      const page = Array.from({ length: 100 }, (_, index) =>
        batchSlot(5, no + index, 1, [entry(someActor(5), 1)]),
      )
      await Promise.all(page.map((slot) => store.append(slot)))
    }
    expect(await store.readLog(5, 0, slots + 1)).toHaveLength(slots)
    expect(await store.append(batchSlot(5, 17, 1, [entry(someActor(5), 1)]))).toMatchObject({
      is: 'occupied',
    })
    expect(await store.append(batchSlot(5, slots - 1, 1, [entry(someActor(5), 1)]))).toMatchObject({
      is: 'occupied',
    })
    await store.retireSegment(5, 8_192 / store.segmentSlots - 1)
    expect(await store.readLog(5, 8_192, slots)).toHaveLength(slots - 8_192)
    expect(await store.readLog(5, 8_191, slots)).toEqual([])
    await reopen()
    expect((await store.readCheckpoint(5))?.copiedNo).toBe(slots - 1)
  })
})
