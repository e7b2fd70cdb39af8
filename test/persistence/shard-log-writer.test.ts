import { describe, expect, it } from 'vitest'
import type { ShardJournal } from '../../src/ports/journal.ts'
import { type JournalStore, StoreFailure } from '../../src/persistence/store-port.ts'
import { ACTOR, entry, ModelJournal, timer } from './model-journal.ts'

type Append = JournalStore['append']

/** A shard whose appends go through `attempt`, which gets the number of the attempt (1, 2 …) since it was opened. */
const openWith = async (
  attempt: (no: number, append: () => ReturnType<Append>) => ReturnType<Append>,
  settings = {},
): Promise<{ model: ModelJournal; shard: ShardJournal }> => {
  const model = new ModelJournal(settings)
  let attempts = -1
  const journal = model.journal('one', (store) => ({
    append: (slot) => (++attempts === 0 ? store.append(slot) : attempt(attempts, () => store.append(slot))),
  }))
  return { model, shard: await model.settle(journal.open(0)) }
}

const failure = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => null,
    (error: unknown) => error,
  )

describe('a batch', () => {
  it.each([
    ['applied', true],
    ['not applied', false],
  ])('whose answer is lost is sent again to its slot: it was %s', async (_, applied) => {
    const { model, shard } = await openWith(async (no, append) => {
      if (no > 1) return append()
      if (applied) await append()
      throw new StoreFailure('unknown', 'timeout')
    })
    await model.settle(shard.append([entry(1)]))
    await model.settle(shard.append([entry(2)]))
    expect(model.truth.lengthOf(0)).toBe(3)
    expect(shard.stalled).toBe(false)
  })

  it('that the store refuses waits until it is back, and new work is held off meanwhile', async () => {
    const { model, shard } = await openWith((no, append) =>
      no < 4 ? Promise.reject(new StoreFailure('not-applied', 'disk full')) : append(),
    )
    const appended = shard.append([entry(1)])
    await model.pass(60)
    expect(shard.stalled).toBe(true)
    await model.settle(appended)
    expect(shard.stalled).toBe(false)
  })

  it('of an owner that was overtaken is refused, and the shard is lost', async () => {
    const model = new ModelJournal()
    const old = await model.settle(model.journal('one').open(0))
    const young = await model.settle(model.journal('two').open(0))
    expect(await model.settle(failure(old.append([entry(1)])))).toMatchObject({
      name: 'ShardLost',
      reason: 'fenced',
    })
    expect(await old.lost).toBe('fenced')
    expect(old.confirmed).toBe(false)
    await model.settle(young.append([entry(1)]))
  })

  it('that no repetition can store ends the shard, and the next owner goes on', async () => {
    const { model, shard } = await openWith((no, append) =>
      no === 1 ? Promise.reject(new RangeError('too large')) : append(),
    )
    const error = await model.settle(failure(shard.append([entry(1)])))
    expect(error).toMatchObject({ name: 'ShardLost', reason: 'failed', cause: { message: 'too large' } })
    const next = await model.settle(model.journal('two').open(0))
    await model.settle(next.append([entry(1)]))
  })

  it('is the only one under way', async () => {
    const { model, shard } = await openWith((_, append) => append())
    const first = shard.append([entry(1)])
    expect(await failure(shard.append([entry(2)]))).toMatchObject({
      message: 'shard 0 has a batch under way',
    })
    await model.settle(first)
  })

  it('waits while the copies lag too far behind', async () => {
    let copying = false
    const model = new ModelJournal({ copyLagEventsMax: 10 })
    const journal = model.journal('one', (store) => ({
      copy: (shard, slots) => (copying ? store.copy(shard, slots) : new Promise(() => {})),
    }))
    const shard = await model.settle(journal.open(0))
    await model.settle(shard.append([entry(1, { events: 8 })]))
    expect(shard.stalled).toBe(true)
    const second = shard.append([entry(9, { events: 3 })])
    await model.pass(5_000)
    expect(model.truth.lengthOf(0)).toBe(2)
    copying = true
    await model.settle(second)
    expect(model.truth.lengthOf(0)).toBe(3)
  })
})

describe('reading an actor', () => {
  it('finds what is not copied yet', async () => {
    const model = new ModelJournal()
    const journal = model.journal('one', () => ({ copy: () => new Promise(() => {}) }))
    const shard = await model.settle(journal.open(0))
    await model.settle(shard.append([entry(1, { commandId: 'a' }), entry(2, { events: 2, commandId: 'b' })]))
    const { snapshot, events } = await model.settle(shard.load(ACTOR))
    expect(snapshot).toBeNull()
    expect(events.map(({ seq, commandId }) => [seq, commandId])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'b'],
    ])
  })

  it('begins with its snapshot', async () => {
    const model = new ModelJournal()
    const shard = await model.settle(model.journal('one').open(0))
    await model.settle(shard.append([entry(1, { events: 3 })]))
    await model.settle(shard.saveSnapshot(ACTOR, { seq: 2, data: '{}' }))
    const { snapshot, events } = await model.settle(shard.load(ACTOR))
    expect(snapshot).toEqual({ seq: 2, data: '{}' })
    expect(events.map(({ seq }) => seq)).toEqual([3])
  })

  it('fails retryably while the store is away, and with the loss of the shard', async () => {
    const model = new ModelJournal()
    const journal = model.journal('one', () => ({
      readActor: () => Promise.reject(new StoreFailure('not-applied', 'away')),
    }))
    const shard = await model.settle(journal.open(0))
    expect(await model.settle(failure(shard.load(ACTOR)))).toMatchObject({ retryable: true })
    await model.settle(shard.close())
    expect(await model.settle(failure(shard.load(ACTOR)))).toMatchObject({ reason: 'closed' })
  })
})

describe('timers', () => {
  const due = (shard: ShardJournal, model: ModelJournal) => model.settle(shard.timersDue(1_000, null, 10))

  it('are found before they are copied, and not after they are done', async () => {
    const model = new ModelJournal()
    const journal = model.journal('one', () => ({ copy: () => new Promise(() => {}) }))
    const shard = await model.settle(journal.open(0))
    const [early, late] = [timer('early', 5), timer('late', 50)]
    await model.settle(shard.append([entry(1, { set: [late, early, timer('far', 5_000)] })]))
    expect(await due(shard, model)).toEqual([early, late])
    await model.settle(shard.timersDone([early]))
    expect(await due(shard, model)).toEqual([late])
  })

  it('move', async () => {
    const model = new ModelJournal()
    const shard = await model.settle(model.journal('one').open(0))
    await model.settle(shard.append([entry(1, { set: [timer('a', 5)] })]))
    await model.pass(100)
    await model.settle(shard.timerMoved(timer('a', 5), timer('a', 70)))
    expect(await due(shard, model)).toEqual([timer('a', 70)])
  })
})

describe('closing', () => {
  it('finishes the batch under way, copies and checkpoint', async () => {
    const { model, shard } = await openWith((no, append) =>
      no < 3 ? Promise.reject(new StoreFailure('unknown', 'timeout')) : append(),
    )
    const appended = shard.append([entry(1)])
    const closed = shard.close()
    expect(await failure(shard.append([entry(2)]))).toMatchObject({ name: 'Error' })
    await model.settle(closed)
    await appended
    expect(model.model.readCheckpoint(0)?.copiedNo).toBe(1)
    expect(await failure(shard.append([entry(2)]))).toMatchObject({ reason: 'closed' })
  })

  it('gives up when the store stays away', async () => {
    const { model, shard } = await openWith(() => Promise.reject(new StoreFailure('unknown', 'timeout')))
    const appended = failure(shard.append([entry(1)]))
    await model.settle(shard.close(), 15_000)
    expect(await appended).toMatchObject({ reason: 'closed' })
  })
})
