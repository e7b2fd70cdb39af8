import { describe, expect, it } from 'vitest'
import { ShardHeld, soleOwner, type Ownership } from '../../src/ports/journal.ts'
import { StoreFailure } from '../../src/persistence/store-port.ts'
import { entry, ModelJournal } from './model-journal.ts'

/** An owner for whom all others live. */
const amongTheLiving = (name: string): Ownership => ({
  ...soleOwner(name),
  isGone: () => Promise.resolve(false),
})

describe('a shard whose owner lives and has let go without a record in the log', () => {
  it('is opened over the epoch that the owner had, and over no other', async () => {
    const model = new ModelJournal({ closeTimeoutMs: 1_000 })
    let isAway = false
    const cutOff = model.journal(
      'a~1',
      (store) => ({
        append: (slot) =>
          isAway ? Promise.reject(new StoreFailure('not-applied', 'cut off')) : store.append(slot),
      }),
      amongTheLiving('a~1'),
    )
    const next = model.journal('b~1', () => ({}), amongTheLiving('b~1'))
    const held = await model.settle(cutOff.open(0))
    await model.settle(held.append([entry(1)]))
    isAway = true
    await model.settle(held.close())
    expect(held.confirmed).toBe(false)

    await expect(model.settle(next.open(0))).rejects.toThrow(ShardHeld)
    await expect(model.settle(next.open(0, held.epoch - 1))).rejects.toThrow(ShardHeld)
    await expect(model.settle(next.open(0, held.epoch + 1))).rejects.toThrow(ShardHeld)
    const opened = await model.settle(next.open(0, held.epoch))
    expect(opened.epoch).toBe(held.epoch + 1)
    await model.settle(opened.append([entry(2)]))
  })

  it('is not opened by what was true of an earlier epoch once the owner has opened it again', async () => {
    const model = new ModelJournal()
    const owner = model.journal('a~1', () => ({}), amongTheLiving('a~1'))
    const next = model.journal('b~1', () => ({}), amongTheLiving('b~1'))
    const before = await model.settle(owner.open(0))
    await model.settle(before.close())
    await model.settle(owner.open(0))
    await expect(model.settle(next.open(0, before.epoch))).rejects.toThrow(ShardHeld)
  })
})
