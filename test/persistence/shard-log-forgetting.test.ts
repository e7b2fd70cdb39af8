import { describe, expect, it } from 'vitest'
import { openJournal } from '../../src/persistence/shard-log.ts'
import { StoreFailure, type JournalStore } from '../../src/persistence/store-port.ts'
import { soleOwner } from '../../src/ports/journal.ts'
import { journalStoreFor } from '../../tools/simulate/store-clients.ts'
import { ACTOR, ModelJournal, entry } from './model-journal.ts'

const READER = 'publisher'

const opened = async (
  held: readonly string[] = [],
  change: (store: JournalStore) => object = () => ({}),
  removesUnpublished = false,
) => {
  const model = new ModelJournal({ publishedReader: READER, removesUnpublished })
  const process = model.process('n1')
  const store = journalStoreFor(process, model.network, model.model)
  const heldOf = () => Promise.resolve(new Set(held))
  const journal = openJournal(
    { ...store, ...change(store) },
    process.runtime,
    model.settings,
    soleOwner('n1'),
    heldOf,
  )
  const shard = await model.settle(journal.open(0))
  await model.settle(shard.append([entry(1)]))
  await model.settle(shard.append([entry(2)]))
  return { model, journal, shard }
}

describe('forgetting the events of an actor', () => {
  it('waits for the publisher to pass its last slot', async () => {
    const { model, journal, shard } = await opened()
    const forget = () => model.settle(shard.forget(ACTOR, { seq: 2, data: '{}' }))
    expect(await forget()).toBe(false)
    await model.settle(journal.savePosition(READER, 0, { no: 1, index: 0 }))
    expect(await forget()).toBe(false)
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    expect(await forget()).toBe(true)
    expect(await model.settle(shard.load(ACTOR))).toEqual({ snapshot: { seq: 2, data: '{}' }, events: [] })
  })

  it('removes one whole before the publisher passes it, where nothing of it is to be published', async () => {
    const { model, shard } = await opened([], undefined, true)
    expect(await model.settle(shard.forget(ACTOR, { seq: 2, data: '{}' }))).toBe(false)
    expect(await model.settle(shard.forget(ACTOR, { seq: 2, data: null }))).toBe(true)
    expect(await model.settle(shard.load(ACTOR))).toEqual({ snapshot: null, events: [] })
  })

  it('leaves alone what waits for an operator', async () => {
    const { model, journal, shard } = await opened([ACTOR])
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    expect(await model.settle(shard.forget(ACTOR, { seq: 2, data: '{}' }))).toBe(false)
    expect((await model.settle(shard.load(ACTOR))).events).toHaveLength(2)
  })

  it('fails when the store does, and can be asked again', async () => {
    let failures = 1
    const { model, journal, shard } = await opened([], (store) => ({
      forget: (...given: Parameters<JournalStore['forget']>) =>
        failures-- > 0 ? Promise.reject(new StoreFailure('unknown', 'away')) : store.forget(...given),
    }))
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    await expect(model.settle(shard.forget(ACTOR, { seq: 2, data: '{}' }))).rejects.toThrow('away')
    expect(await model.settle(shard.forget(ACTOR, { seq: 2, data: '{}' }))).toBe(true)
  })

  it('takes many in steps, between which others write', async () => {
    const sizes: number[] = []
    const { model, journal, shard } = await opened([], (store) => ({
      forget: (...given: Parameters<JournalStore['forget']>) => {
        sizes.push(given[1].length)
        return store.forget(...given)
      },
    }))
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    const asked = Array.from({ length: 200 }, () => shard.forget(ACTOR, { seq: 2, data: '{}' }))
    expect(await model.settle(Promise.all(asked))).not.toContain(false)
    expect(sizes).toEqual([64, 64, 64, 8])
  })

  it('answers everyone when the shard is lost meanwhile', async () => {
    const { model, shard } = await opened()
    const forgetting = shard.forget(ACTOR, { seq: 2, data: '{}' })
    const closing = shard.close()
    await expect(model.settle(forgetting)).rejects.toThrow('shard 0')
    await model.settle(closing)
  })
})
