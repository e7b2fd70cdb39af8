import { describe, expect, it } from 'vitest'
import { RecentSlots } from '../../src/persistence/shard-log-tail.ts'
import type { LogSlot } from '../../src/persistence/store-port.ts'
import { ModelJournal, entry } from './model-journal.ts'

const slot = (no: number, events: number): LogSlot => ({
  shard: 0,
  no,
  epoch: 1,
  batchId: `one/${no}`,
  record: { kind: 'batch', entries: [entry(1, { events })] },
})

/** Somebody follows the log. */
const followed = (): RecentSlots => {
  const recent = new RecentSlots()
  recent.since(0)
  return recent
}
const numbers = (slots: readonly LogSlot[] | null) => slots?.map(({ no }) => no) ?? null

describe('the recent slots', () => {
  it('are what was committed from a number on', () => {
    const recent = followed()
    for (let no = 7; no < 10; no++) recent.add(slot(no, 1))
    expect(numbers(recent.since(8))).toEqual([8, 9])
    expect(numbers(recent.since(10))).toEqual([])
    expect(recent.since(6)).toBeNull()
    expect(new RecentSlots().since(0)).toBeNull()
  })

  it('are kept only while somebody asks for them', () => {
    const recent = new RecentSlots()
    recent.add(slot(0, 1))
    expect(recent.since(0)).toBeNull()
    for (let no = 1; no < 64; no++) recent.add(slot(no, 1))
    expect(numbers(recent.since(62))).toEqual([62, 63])
    for (let no = 64; no < 200; no++) recent.add(slot(no, 1))
    expect(recent.since(199)).toBeNull()
    recent.add(slot(200, 1))
    expect(numbers(recent.since(200))).toEqual([200])
  })

  it('are few: the oldest go, and a batch that is too large is not kept at all', () => {
    const recent = followed()
    for (let no = 0; no < 5; no++) recent.add(slot(no, 100))
    expect(recent.since(2)).toBeNull()
    expect(numbers(recent.since(3))).toEqual([3, 4])
    recent.add(slot(5, 1_000))
    expect(recent.since(5)).toBeNull()
    recent.add(slot(6, 1))
    expect(numbers(recent.since(6))).toEqual([6])
  })

  it('of a shard with small batches are no more than a follower needs', () => {
    const recent = followed()
    for (let no = 0; no < 100; no++) {
      recent.add(slot(no, 2))
      recent.since(no)
    }
    expect(recent.since(67)).toBeNull()
    expect(numbers(recent.since(68))).toHaveLength(32)
  })

  it('spare a close follower of the log every read of the store', async () => {
    const model = new ModelJournal()
    let reads = 0
    const journal = model.journal('one', (store) => ({
      readLog: (shard, fromNo, limit) => {
        reads++
        return store.readLog(shard, fromNo, limit)
      },
    }))
    const shard = await model.settle(journal.open(0))
    await model.settle(journal.readTail(0, null, 10))
    await model.settle(shard.append([entry(1)]))
    reads = 0
    await model.settle(shard.append([entry(2), entry(3)]))
    const tail = await model.settle(journal.readTail(0, { no: 1, index: 0 }, 1))
    expect(tail.map((record) => record.entry.seq)).toEqual([2])
    const rest = await model.settle(journal.readTail(0, { no: 2, index: 0 }, 10))
    expect(rest.map((record) => record.entry.seq)).toEqual([3])
    expect(reads).toBe(0)
  })
  it('know when a reader has seen everything, so that nobody looks for more', async () => {
    const recent = new RecentSlots(6)
    expect(recent.hasNothingAfter({ no: 5, index: 3 })).toBe(false)
    expect(recent.hasNothingAfter({ no: 6, index: -1 })).toBe(true)
    recent.add(slot(7, 1))
    expect(recent.hasNothingAfter({ no: 6, index: 0 })).toBe(false)
    expect(recent.hasNothingAfter({ no: 7, index: -1 })).toBe(false)
    expect(recent.hasNothingAfter({ no: 7, index: 0 })).toBe(true)
    expect(numbers(recent.since(7))).toEqual([7])
    expect(new RecentSlots().hasNothingAfter({ no: 7, index: 0 })).toBe(false)
  })

  it('spare a follower that has seen everything every read of the store', async () => {
    const model = new ModelJournal()
    let reads = 0
    const journal = model.journal('one', (store) => ({
      readLog: (shard, fromNo, limit) => {
        reads++
        return store.readLog(shard, fromNo, limit)
      },
    }))
    const shard = await model.settle(journal.open(0))
    reads = 0
    expect(await model.settle(journal.readTail(0, { no: 0, index: 0 }, 10))).toEqual([])
    await model.settle(shard.append([entry(1), entry(2)]))
    expect(await model.settle(journal.readTail(0, { no: 1, index: 0 }, 10))).toHaveLength(1)
    expect(await model.settle(journal.readTail(0, { no: 1, index: 1 }, 10))).toEqual([])
    expect(reads).toBe(0)
  })

  it('know that nothing was before the shard was opened here, once a reader has looked', async () => {
    const model = new ModelJournal()
    let reads = 0
    const journal = model.journal('one', (store) => ({
      readLog: (shard, fromNo, limit) => {
        reads++
        return store.readLog(shard, fromNo, limit)
      },
    }))
    const shard = await model.settle(journal.open(0))
    expect(await model.settle(journal.readTail(0, null, 10))).toEqual([])
    reads = 0
    expect(await model.settle(journal.readTail(0, null, 10))).toEqual([])
    expect(reads).toBe(0)
    await model.settle(shard.append([entry(1)]))
    expect(await model.settle(journal.readTail(0, null, 10))).toHaveLength(1)
  })

  it('believe a reader that found nothing only where nothing was written meanwhile', () => {
    const recent = new RecentSlots(6)
    const { last } = recent
    recent.foundNothing({ no: 3, index: 0 }, last)
    expect(recent.hasNothingAfter({ no: 3, index: 0 })).toBe(true)
    expect(recent.hasNothingAfter({ no: 2, index: 5 })).toBe(false)
    expect(recent.hasNothingAfter(null)).toBe(false)
    recent.add(slot(7, 1))
    expect(recent.hasNothingAfter({ no: 3, index: 0 })).toBe(false)
    recent.foundNothing({ no: 3, index: 0 }, last)
    expect(recent.hasNothingAfter({ no: 3, index: 0 })).toBe(false)
  })
})
