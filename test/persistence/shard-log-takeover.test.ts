import { describe, expect, it } from 'vitest'
import { shardLogDefaults } from '../../src/persistence/shard-log-settings.ts'
import { StoreFailure } from '../../src/persistence/store-port.ts'
import { ACTOR, entry, ModelJournal } from './model-journal.ts'

describe('a takeover', () => {
  it('copies what the owner before left uncopied', async () => {
    const model = new ModelJournal()
    const never = () => new Promise<never>(() => {})
    const old = await model.settle(model.journal('one', () => ({ copy: never })).open(0))
    for (let seq = 1; seq <= 5; seq++) await model.settle(old.append([entry(seq)]))
    expect(model.model.readEvents(ACTOR, 0)).toEqual([])
    const young = await model.settle(model.journal('two').open(0))
    expect((await model.settle(young.load(ACTOR))).events).toHaveLength(5)
    await model.pass(1_000)
    expect(model.model.readEvents(ACTOR, 0)).toHaveLength(5)
  })

  it('walks from the checkpoint, page by page', async () => {
    const model = new ModelJournal({ walkPageSlots: 2, checkpointEvents: 3 })
    const old = await model.settle(model.journal('one').open(0))
    for (let seq = 1; seq <= 8; seq++) await model.settle(old.append([entry(seq)]))
    await model.pass(100)
    const copiedNo = model.model.readCheckpoint(0)?.copiedNo ?? 0
    expect(copiedNo).toBeGreaterThan(3)
    const reads: number[] = []
    const journal = model.journal('two', (store) => ({
      readLog: (shard, fromNo, limit) => {
        reads.push(fromNo)
        return store.readLog(shard, fromNo, limit)
      },
    }))
    await model.settle(journal.open(0))
    expect(reads[0]).toBe(copiedNo)
  })

  it('goes on behind a record that came into its slot first', async () => {
    const model = new ModelJournal()
    const old = await model.settle(model.journal('one').open(0))
    let late: Promise<void> | null = null
    const journal = model.journal('two', (store) => ({
      append: async (slot) => {
        late ??= old.append([entry(1)])
        await late.catch(() => {})
        return store.append(slot)
      },
    }))
    const young = await model.settle(journal.open(0))
    expect(young.epoch).toBe(2)
    expect(model.truth.slot(0, 1)?.record.kind).toBe('batch')
    expect((await model.settle(young.load(ACTOR))).events).toHaveLength(1)
  })

  it('counts its own record as written when the answer was lost', async () => {
    const model = new ModelJournal()
    let attempts = 0
    const journal = model.journal('one', (store) => ({
      append: async (slot) => {
        const outcome = await store.append(slot)
        if (++attempts === 1) throw new StoreFailure('unknown', 'timeout')
        return outcome
      },
    }))
    expect((await model.settle(journal.open(0))).epoch).toBe(1)
    expect(model.truth.lengthOf(0)).toBe(1)
  })

  it('begins again when the segment it walks is deleted meanwhile', async () => {
    const model = new ModelJournal({ segmentSlots: 4, checkpointEvents: 1 })
    const old = await model.settle(model.journal('one').open(0))
    for (let seq = 1; seq <= 8; seq++) await model.settle(old.append([entry(seq)]))
    await model.pass(1_000)
    expect(model.model.firstSegment(0)).toBe(2)
    let first = true
    const journal = model.journal('two', (store) => ({
      readCheckpoint: async (shard) => (first ? null : store.readCheckpoint(shard)),
      firstSegment: async (shard) => {
        const stale = first ? 0 : await store.firstSegment(shard)
        first = false
        return stale
      },
    }))
    expect((await model.settle(journal.open(0))).epoch).toBe(2)
  })

  it('of a shard with 10,000 uncopied events finds them all', async () => {
    const model = new ModelJournal(shardLogDefaults)
    const never = () => new Promise<never>(() => {})
    const old = await model.settle(model.journal('one', () => ({ copy: never })).open(0))
    for (let batch = 0; batch < 100; batch++)
      await model.settle(old.append([entry(batch * 100 + 1, { events: 100 })]))
    const journal = model.journal('two')
    const young = await model.settle(journal.open(0))
    expect((await model.settle(young.load(ACTOR))).events).toHaveLength(10_000)
  })
})
