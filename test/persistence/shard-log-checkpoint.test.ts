import { describe, expect, it } from 'vitest'
import { START_MS } from '../../tools/simulate/simulated-process.ts'
import { entry, ModelJournal, timer } from './model-journal.ts'

const DAY_MS = 86_400_000

describe('the checkpoint', () => {
  it('is written when enough was copied', async () => {
    const model = new ModelJournal({ checkpointEvents: 3, checkpointIntervalMs: 3_600_000 })
    const shard = await model.settle(model.journal('one').open(0))
    for (let seq = 1; seq <= 2; seq++) await model.settle(shard.append([entry(seq)]))
    await model.pass(1_000)
    expect(model.model.readCheckpoint(0)?.copiedNo).toBe(-1)
    await model.settle(shard.append([entry(3)]))
    await model.pass(1_000)
    expect(model.model.readCheckpoint(0)?.copiedNo).toBe(3)
  })

  it('is exact some time after the last batch', async () => {
    const model = new ModelJournal({ checkpointIntervalMs: 2_000 })
    const shard = await model.settle(model.journal('one').open(0))
    await model.settle(shard.append([entry(1)]))
    await model.pass(4_000)
    expect(model.model.readCheckpoint(0)?.copiedNo).toBe(1)
  })

  it('acknowledges old timers only as far as every row is done', async () => {
    const model = new ModelJournal({ timerAckIntervalMs: 0, timerAckMarginMs: DAY_MS, checkpointEvents: 1 })
    const shard = await model.settle(model.journal('one').open(0))
    const old = timer('old', START_MS - 3 * DAY_MS)
    await model.settle(shard.append([entry(1, { set: [old] })]))
    await model.pass(1_000)
    expect(model.model.readCheckpoint(0)?.timerAckMs).toBeLessThanOrEqual(old.dueMs)
    await model.settle(shard.timersDone([old]))
    await model.settle(shard.append([entry(2)]))
    await model.pass(1_000)
    const ackMs = model.model.readCheckpoint(0)?.timerAckMs ?? 0
    expect(ackMs).toBeGreaterThan(START_MS - DAY_MS - 1)
    expect(ackMs).toBeLessThan(START_MS - DAY_MS + 10_000)
  })

  it('lets the next owner find a timer that was set below the acknowledgement', async () => {
    const model = new ModelJournal({ timerAckIntervalMs: 0, timerAckMarginMs: DAY_MS, checkpointEvents: 1 })
    const shard = await model.settle(model.journal('one').open(0))
    await model.settle(shard.append([entry(1)]))
    await model.pass(1_000)
    const ancient = timer('ancient', START_MS - 9 * DAY_MS)
    await model.settle(shard.append([entry(2, { set: [ancient] })]))
    for (let seq = 3; seq <= 6; seq++) await model.settle(shard.append([entry(seq)]))
    await model.pass(10_000)
    expect(await model.settle(shard.timersDue(START_MS, null, 10))).toEqual([ancient])
    const next = await model.settle(model.journal('two').open(0))
    expect(await model.settle(next.timersDue(START_MS, null, 10))).toEqual([ancient])
  })
})
