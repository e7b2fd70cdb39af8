import { describe, expect, it } from 'vitest'
import type { Journal, TailPosition } from '../../src/ports/journal.ts'
import { entry, ModelJournal } from './model-journal.ts'

type Read = (from: TailPosition | null, limit: number) => Promise<readonly number[]>

const written = async (settings = {}): Promise<{ model: ModelJournal; journal: Journal; read: Read }> => {
  const model = new ModelJournal({ tailPageSlots: 2, ...settings })
  const journal = model.journal('one')
  const shard = await model.settle(journal.open(0))
  await model.settle(shard.append([entry(1), entry(2), entry(3)]))
  await model.settle(shard.append([entry(4)]))
  await model.settle(shard.close())
  const next = await model.settle(journal.open(0))
  for (let seq = 5; seq <= 12; seq++) await model.settle(next.append([entry(seq)]))
  const read: Read = (from, limit) =>
    model.settle(
      journal.readTail(0, from, limit).then((records) => records.map((record) => record.entry.seq)),
    )
  return { model, journal, read }
}

describe('the tail of a shard', () => {
  it('has every committed entry in order, whoever wrote it', async () => {
    const { read } = await written()
    expect(await read(null, 100)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  it('goes on after a position, also in the middle of a batch', async () => {
    const { read } = await written()
    expect(await read({ no: 1, index: 0 }, 2)).toEqual([2, 3])
    expect(await read({ no: 1, index: 2 }, 2)).toEqual([4, 5])
    expect(await read({ no: 2, index: 0 }, 1)).toEqual([5])
  })

  it('is empty at the end and for a shard without a log', async () => {
    const { model, journal, read } = await written()
    const [last] = (await model.settle(journal.readTail(0, null, 100))).slice(-1)
    expect(await read(last ?? null, 10)).toEqual([])
    expect(await model.settle(journal.readTail(7, null, 10))).toEqual([])
    expect(await model.settle(journal.readTail(7, { no: 3, index: 0 }, 10))).toEqual([])
  })

  it('begins with the first segment that is left', async () => {
    const { model, read } = await written({ segmentSlots: 4, checkpointEvents: 1 })
    await model.pass(10_000)
    expect(model.model.firstSegment(0)).toBeGreaterThan(0)
    expect((await read(null, 100)).at(-1)).toBe(12)
    expect((await read({ no: 1, index: 0 }, 100)).at(-1)).toBe(12)
  })
})
