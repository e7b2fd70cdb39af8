import { describe, expect, it } from 'vitest'
import { entry, ModelJournal } from './model-journal.ts'

const settings = { segmentSlots: 4, checkpointEvents: 1 }

const writtenTo = async (model: ModelJournal, name: string, from: number, to: number): Promise<void> => {
  const journal = model.journal(name)
  const shard = await model.settle(journal.open(0))
  for (let seq = from; seq <= to; seq++) await model.settle(shard.append([entry(seq)]))
  await model.pass(10_000)
}

describe('a segment', () => {
  it('is deleted when everything in it is copied, except the one of the checkpoint', async () => {
    const model = new ModelJournal(settings)
    await writtenTo(model, 'one', 1, 9)
    expect(model.model.firstSegment(0)).toBe(2)
    expect(model.model.readLog(0, 8, 10).length).toBe(2)
  })

  it('stays until both of its followers have passed it', async () => {
    const model = new ModelJournal({ ...settings, publishedReader: 'stream', projectedReader: 'lists' })
    const journal = model.journal('reader')
    await writtenTo(model, 'one', 1, 9)
    expect(model.model.firstSegment(0)).toBe(0)
    await model.settle(journal.savePosition('stream', 0, { no: 9, index: 0 }))
    await model.settle(journal.savePosition('lists', 0, { no: 4, index: 0 }))
    await writtenTo(model, 'two', 10, 10)
    expect(model.model.firstSegment(0)).toBe(0)
    await model.settle(journal.savePosition('lists', 0, { no: 6, index: 0 }))
    await writtenTo(model, 'three', 11, 11)
    expect(model.model.firstSegment(0)).toBe(1)
  })

  it('stays where a follower has passed it and has not saved that, because a crash sends it back', async () => {
    const model = new ModelJournal({ ...settings, publishedReader: 'stream' })
    const journal = model.journal('one')
    const shard = await model.settle(journal.open(0))
    for (let seq = 1; seq <= 9; seq++) await model.settle(shard.append([entry(seq)]))
    journal.passed('stream', 0, { no: 9, index: 0 })
    await model.settle(shard.append([entry(10)]))
    await model.pass(10_000)
    expect(model.model.firstSegment(0)).toBe(0)
    await model.settle(journal.savePosition('stream', 0, { no: 9, index: 0 }))
    await model.settle(shard.append([entry(11)]))
    await model.pass(10_000)
    expect(model.model.firstSegment(0)).toBe(2)
  })

  it('that is deleted takes no late batch', async () => {
    const model = new ModelJournal(settings)
    await writtenTo(model, 'one', 1, 9)
    const late = {
      shard: 0,
      no: 2,
      epoch: 1,
      batchId: 'zero/1',
      record: { kind: 'open', node: 'zero' },
    } as const
    expect(model.model.append(late)).toEqual({ is: 'retired' })
  })
})
