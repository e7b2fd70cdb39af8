import { describe, expect, it } from 'vitest'
import { ShardHeld, ShardLost, type LeaseSession, type Ownership } from '../../src/ports/journal.ts'
import { StoreFailure } from '../../src/persistence/store-port.ts'
import { ACTOR, ModelJournal, entry } from './model-journal.ts'

/** A lease that a test ends by hand. */
class HandLease implements Ownership {
  readonly #ended = new AbortController()
  readonly current: LeaseSession
  readonly gone = new Set<string>()

  constructor(owner: string) {
    this.current = { owner, valid: () => !this.#ended.signal.aborted, ended: this.#ended.signal }
  }

  session(): LeaseSession {
    return this.current
  }

  isGone(owner: string): Promise<boolean> {
    return Promise.resolve(this.gone.has(owner))
  }

  end(): void {
    this.#ended.abort(new Error('over'))
  }
}

const openFailure = async (journal: ModelJournal, opening: Promise<unknown>): Promise<unknown> =>
  journal.settle(opening.then(() => null).catch((error: unknown) => error))

describe('opening a shard', () => {
  it('writes an open record of the next epoch and serves what was committed', async () => {
    const model = new ModelJournal()
    const first = await model.settle(model.journal('one').open(0))
    await model.settle(first.append([entry(1), entry(2)]))
    const second = await model.settle(model.journal('two').open(0))
    expect([first.epoch, second.epoch]).toEqual([1, 2])
    expect((await model.settle(second.load(ACTOR))).events.map(({ seq }) => seq)).toEqual([1, 2])
  })

  it('is refused while the owner before lives, and granted when it is gone', async () => {
    const model = new ModelJournal()
    const [one, two] = [new HandLease('one'), new HandLease('two')]
    await model.settle(model.journal('one', undefined, one).open(0))
    const journal = model.journal('two', undefined, two)
    expect(await openFailure(model, journal.open(0))).toBeInstanceOf(ShardHeld)
    two.gone.add('one')
    expect((await model.settle(journal.open(0))).epoch).toBe(2)
  })

  it('needs a lease', async () => {
    const model = new ModelJournal()
    const lease = new HandLease('one')
    lease.end()
    const error = await openFailure(model, model.journal('one', undefined, lease).open(0))
    expect(error).toMatchObject({ name: 'ShardLost', reason: 'lease-lost' })
  })

  it('ends with the lease, also when the store never answers', async () => {
    const model = new ModelJournal()
    const lease = new HandLease('one')
    const opening = model.journal('one', () => ({ append: () => new Promise(() => {}) }), lease).open(0)
    await model.pass(1_000)
    lease.end()
    expect(await openFailure(model, opening)).toMatchObject({ name: 'ShardLost', reason: 'lease-lost' })
  })

  it('can be done once at a time', async () => {
    const model = new ModelJournal()
    const journal = model.journal('one')
    const opening = journal.open(0)
    expect(await openFailure(model, journal.open(0))).toMatchObject({
      message: 'shard 0 is open here already',
    })
    await model.settle(opening)
  })
})

describe('a shard that is handed back', () => {
  it('can be opened by another at once', async () => {
    const model = new ModelJournal()
    const [one, two] = [new HandLease('one'), new HandLease('two')]
    const shard = await model.settle(model.journal('one', undefined, one).open(0))
    await model.settle(shard.append([entry(1)]))
    await model.settle(shard.close())
    expect([await shard.lost, shard.epoch, shard.lastEpoch]).toEqual(['closed', 1, 2])
    // What is handed over with the last epoch of one owner is whole for the owner of the next one.
    expect((await model.settle(model.journal('two', undefined, two).open(0))).epoch).toBe(3)
  })

  it('is handed back later when the store was away at the close', async () => {
    const model = new ModelJournal()
    const [one, two] = [new HandLease('one'), new HandLease('two')]
    let away = false
    const journal = model.journal(
      'one',
      (store) => ({
        append: (slot) =>
          away ? Promise.reject(new StoreFailure('not-applied', 'away')) : store.append(slot),
      }),
      one,
    )
    const shard = await model.settle(journal.open(0))
    away = true
    await model.settle(shard.close())
    const other = model.journal('two', undefined, two)
    expect(await openFailure(model, other.open(0))).toBeInstanceOf(ShardHeld)
    away = false
    await model.pass(10_000)
    expect((await model.settle(other.open(0))).epoch).toBe(3)
  })
})

describe('the journal', () => {
  it('tells of every commit, and of none after the listener was taken away', async () => {
    const model = new ModelJournal()
    const journal = model.journal('one')
    const heard: number[] = []
    const stop = journal.onCommitted((_, no) => heard.push(no))
    const shard = await model.settle(journal.open(0))
    await model.settle(shard.append([entry(1)]))
    stop()
    await model.settle(shard.append([entry(2)]))
    expect(heard).toEqual([1])
  })

  it('closes its shards when it is disposed', async () => {
    const model = new ModelJournal()
    const journal = model.journal('one')
    const shard = await model.settle(journal.open(0))
    await model.settle(Promise.resolve(journal[Symbol.asyncDispose]()))
    expect(await shard.lost).toBe('closed')
    expect(await openFailure(model, journal.open(0))).toBeInstanceOf(ShardLost)
  })

  it('keeps positions of readers', async () => {
    const model = new ModelJournal()
    const journal = model.journal('one')
    expect(await model.settle(journal.readPosition('reader', 0))).toBeNull()
    await model.settle(journal.savePosition('reader', 0, { no: 4, index: 2 }))
    expect(await model.settle(journal.readPosition('reader', 0))).toEqual({ no: 4, index: 2 })
  })
})
