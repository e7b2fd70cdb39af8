import { describe, expect, it } from 'vitest'
import { StoreFailure } from '../../src/persistence/store-port.ts'
import { ACTOR, entry, ModelJournal, timer } from './model-journal.ts'

describe('copies', () => {
  it('follow the log, several slots at a time, and go on when the store is back', async () => {
    const model = new ModelJournal()
    let failures = 3
    const copied: number[][] = []
    const journal = model.journal('one', (store) => ({
      copy: (shard, slots) => {
        if (failures-- > 0) return Promise.reject(new StoreFailure('unknown', 'timeout'))
        copied.push(slots.map(({ no }) => no))
        return store.copy(shard, slots)
      },
    }))
    const shard = await model.settle(journal.open(0))
    for (let seq = 1; seq <= 3; seq++) await model.settle(shard.append([entry(seq)]))
    await model.pass(5_000)
    expect(copied.flat()).toEqual([0, 1, 2, 3])
    expect(copied.length).toBeLessThan(4)
    expect(model.model.readEvents(ACTOR, 0)).toHaveLength(3)
  })

  it('wait a little for what comes after, unless a lot is full or somebody wants them done', async () => {
    const model = new ModelJournal({ copyLingerMs: 2_000, copySlotsMax: 4 })
    const copied: number[][] = []
    const journal = model.journal('one', (store) => ({
      copy: (shard, slots) => {
        copied.push(slots.map(({ no }) => no))
        return store.copy(shard, slots)
      },
    }))
    const shard = await model.settle(journal.open(0))
    await model.settle(shard.append([entry(1)]))
    await model.pass(1_500)
    expect(copied).toEqual([])
    await model.pass(1_000)
    expect(copied).toEqual([[0, 1]])
    for (let seq = 2; seq <= 6; seq++) await model.settle(shard.append([entry(seq)]))
    await model.pass(100)
    expect(copied).toEqual([
      [0, 1],
      [2, 3, 4, 5],
    ])
    await model.settle(shard.close(), 1_000)
    expect(copied.flat()).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  it('are read again where a fold that ended late put a snapshot in the place of events meanwhile', async () => {
    const model = new ModelJournal()
    let reads = 0
    let isTorn = (read: number): boolean => read === 1
    const journal = model.journal('one', (store) => ({
      readActor: async (actor) => {
        const stored = await store.readActor(actor)
        return isTorn(++reads) ? { ...stored, snapshot: { seq: 2, data: 'older' } } : stored
      },
    }))
    const shard = await model.settle(journal.open(0))
    for (let seq = 1; seq <= 6; seq++) await model.settle(shard.append([entry(seq)]))
    await model.settle(shard.saveSnapshot(ACTOR, { seq: 4, data: 'newer' }))
    await model.pass(5_000)
    const { snapshot, events } = await model.settle(shard.load(ACTOR))
    expect([snapshot?.seq, events.map(({ seq }) => seq), reads]).toEqual([4, [5, 6], 2])
    isTorn = () => true
    await expect(model.settle(shard.load(ACTOR))).rejects.toThrow('has event 5 after event 2')
  })

  it('are no work on an engine that writes them with the batch', async () => {
    const model = new ModelJournal({ checkpointIntervalMs: 1_000 }, 'atomic')
    const shard = await model.settle(model.journal('one').open(0))
    await model.settle(shard.append([entry(1, { set: [timer('a', 5)] })]))
    expect((await model.settle(shard.load(ACTOR))).events).toHaveLength(1)
    expect(await model.settle(shard.timersDue(10, null, 5))).toEqual([timer('a', 5)])
    await model.pass(3_000)
    expect(model.model.readCheckpoint(0)?.copiedNo).toBe(1)
  })

  it('never lag further than the limit under steady load', async () => {
    const model = new ModelJournal({
      copyLagEventsMax: 50,
      checkpointEvents: 10,
      checkpointIntervalMs: 60_000,
    })
    const journal = model.journal('one', (store) => ({
      copy: async (shard, slots) => {
        await model.process('wait').runtime.sleep(50)
        return store.copy(shard, slots)
      },
    }))
    const shard = await model.settle(journal.open(0))
    for (let seq = 1; seq <= 200; seq += 5) {
      await model.settle(shard.append([entry(seq, { events: 5 })]))
      const copiedNo = Math.max(model.model.readCheckpoint(0)?.copiedNo ?? 0, 0)
      const behind = model.truth.lengthOf(0) - 1 - copiedNo
      expect(behind * 5).toBeLessThanOrEqual(50)
    }
  })
})
