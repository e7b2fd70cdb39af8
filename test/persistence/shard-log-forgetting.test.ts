import { describe, expect, it } from 'vitest'
import { openJournal } from '../../src/persistence/shard-log.ts'
import { StoreFailure, type JournalStore } from '../../src/persistence/store-port.ts'
import { soleOwner } from '../../src/ports/journal.ts'
import { journalStoreFor } from '../../tools/simulate/store-clients.ts'
import { ACTOR, ModelJournal, entry } from './model-journal.ts'

const READER = 'publisher'

const opened = async (
  held: readonly string[] | (() => Promise<ReadonlySet<string>>) = [],
  change: (store: JournalStore) => object = () => ({}),
  removesUnpublished = false,
) => {
  const model = new ModelJournal({ publishedReader: READER, removesUnpublished })
  const process = model.process('n1')
  const store = journalStoreFor(process, model.network, model.model)
  const heldOf = typeof held === 'function' ? held : () => Promise.resolve(new Set(held))
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

  it('goes by what the publisher says that it has passed, before it saves that, while others write', async () => {
    const { model, journal, shard } = await opened()
    const others = { actor: 'cnt_0000000001' }
    const writeOn = async (): Promise<void> => {
      for (let no = 3; no < 1_000; no++) {
        await shard.append([entry(no - 2, others)])
        journal.passed(READER, 0, { no, index: 0 })
      }
    }
    const written = writeOn()
    expect(await model.settle(shard.forget(ACTOR, { seq: 2, data: '{}' }))).toBe(true)
    await model.settle(written)
    expect(await model.settle(journal.readPosition(READER, 0))).toBeNull()
    expect(model.model.readEvents(ACTOR, 0)).toEqual([])
  })

  it('knows nothing of what was passed before the shard was opened here again', async () => {
    const { model, journal, shard } = await opened()
    journal.passed(READER, 0, { no: 2, index: 0 })
    await model.settle(shard.close())
    const again = await model.settle(journal.open(0))
    expect(await model.settle(again.forget(ACTOR, { seq: 2, data: '{}' }))).toBe(false)
  })

  it('removes one whole before the publisher passes it, where nothing of it is to be published', async () => {
    const { model, shard } = await opened([], undefined, true)
    expect(await model.settle(shard.forget(ACTOR, { seq: 2, data: '{}' }))).toBe(false)
    expect(await model.settle(shard.forget(ACTOR, { seq: 2, data: null }))).toBe(true)
    expect(await model.settle(shard.load(ACTOR))).toEqual({ snapshot: null, events: [] })
  })

  it('removes one whole for good, also where its last slots are copied later or once more', async () => {
    const { model, shard } = await opened([], undefined, true)
    await model.settle(shard.append([entry(3)]))
    expect(await model.settle(shard.forget(ACTOR, { seq: 3, data: null }))).toBe(true)
    expect(await model.settle(shard.load(ACTOR))).toEqual({ snapshot: null, events: [] })
    const next = model.process('n2')
    const store = journalStoreFor(next, model.network, model.model)
    const journal = openJournal(store, next.runtime, model.settings, soleOwner('n2'))
    const taken = await model.settle(journal.open(0))
    expect(await model.settle(taken.load(ACTOR))).toEqual({ snapshot: null, events: [] })
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

  it('tells one of many why, where nobody can say what is held', async () => {
    const { model, journal, shard } = await opened(() => Promise.reject(new Error('shard 7 is not open')))
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    const asked = Array.from({ length: 64 }, () => shard.forget(ACTOR, { seq: 2, data: '{}' }))
    const answers = await model.settle(Promise.allSettled(asked))
    const failures = answers.filter(({ status }) => status === 'rejected')
    expect(failures).toMatchObject([{ reason: { message: 'shard 7 is not open' } }])
    expect(answers.filter((each) => each.status === 'fulfilled' && !each.value)).toHaveLength(63)
    expect(model.model.readEvents(ACTOR, 0)).toHaveLength(2)
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

describe('folding an actor that lives on', () => {
  const lastSnapshot = { seq: 2, data: '{}' }

  it('lets go what is in the snapshot, and not what was committed while it was written', async () => {
    const { model, journal, shard } = await opened()
    const folding = shard.fold(ACTOR, lastSnapshot)
    await model.settle(shard.append([entry(3)]))
    await model.settle(journal.savePosition(READER, 0, { no: 3, index: 0 }))
    expect(await model.settle(folding)).toBe(true)
    const { snapshot, events } = await model.settle(shard.load(ACTOR))
    expect([snapshot, events.map(({ seq }) => seq)]).toEqual([lastSnapshot, [3]])
    expect(model.model.readEvents(ACTOR, 0).map(({ seq }) => seq)).toEqual([3])
  })

  it('writes the snapshot once', async () => {
    const given: unknown[] = []
    const { model, journal, shard } = await opened([], (store) => ({
      forget: (...call: Parameters<JournalStore['forget']>) => {
        given.push(...call[1])
        return store.forget(...call)
      },
    }))
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    expect(await model.settle(shard.fold(ACTOR, lastSnapshot))).toBe(true)
    expect(given).toEqual([{ actor: ACTOR, seq: 2, atNo: 2 }])
    expect(await model.settle(shard.load(ACTOR))).toEqual({ snapshot: lastSnapshot, events: [] })
  })

  it('saves the snapshot and leaves the events where the publisher has not passed them', async () => {
    const { model, shard } = await opened()
    expect(await model.settle(shard.fold(ACTOR, lastSnapshot))).toBe(false)
    expect((await model.settle(shard.load(ACTOR))).snapshot).toEqual(lastSnapshot)
    expect(model.model.readEvents(ACTOR, 0)).toHaveLength(2)
  })

  it('is asked about again when the publisher has passed its events', async () => {
    const { model, journal, shard } = await opened()
    const folding = shard.fold(ACTOR, lastSnapshot)
    await model.pass(5_000)
    journal.passed(READER, 0, { no: 2, index: 0 })
    expect(await model.settle(folding)).toBe(true)
    expect(model.model.readEvents(ACTOR, 0)).toEqual([])
  })

  it('is asked about three times in all', async () => {
    const askedAtMs: number[] = []
    const { model, shard } = await opened(() => {
      askedAtMs.push(model.world.nowMs)
      return Promise.resolve(new Set())
    })
    const startMs = model.world.nowMs
    const folding = shard.fold(ACTOR, lastSnapshot)
    expect(await model.settle(folding)).toBe(false)
    await model.pass(600_000)
    expect(askedAtMs).toHaveLength(3)
    expect(askedAtMs[1]).toBeGreaterThan(startMs + 5_500)
    expect(askedAtMs[2]).toBeLessThan(startMs + 20_000)
  })

  it('is asked about again where nobody could say what is held', async () => {
    let failures = 1
    const { model, journal, shard } = await opened(async () => {
      if (failures-- > 0) throw new Error('shard 7 is not open')
      return new Set()
    })
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    expect(await model.settle(shard.fold(ACTOR, lastSnapshot))).toBe(true)
    expect(failures).toBe(-1)
  })

  it('hears in the end why nobody can say what is held, one of many', async () => {
    const { model, shard } = await opened(() => Promise.reject(new Error('shard 7 is not open')))
    const asked = Array.from({ length: 64 }, () => shard.fold(ACTOR, lastSnapshot))
    const answers = await model.settle(Promise.allSettled(asked))
    expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(1)
    expect(answers.filter((each) => each.status === 'fulfilled' && !each.value)).toHaveLength(63)
  })

  it('rests in small numbers, and holds up nothing that is over', async () => {
    const steps: string[] = []
    const { model, journal, shard } = await opened([], (store) => ({
      forget: (...given: Parameters<JournalStore['forget']>) => {
        const folds = given[1].filter(({ data }) => data === undefined).length
        steps.push(`${folds} folds, ${given[1].length - folds} over`)
        return store.forget(...given)
      },
    }))
    const answers: boolean[] = []
    for (let each = 0; each < 100; each++)
      void shard.fold(ACTOR, lastSnapshot).then((isFolded) => answers.push(isFolded))
    await model.pass(5_000)
    expect(answers).toEqual(Array.from({ length: 36 }, () => false))
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    for (let each = 0; each < 40; each++) {
      for (let over = 0; over < 8; over++) void shard.forget(ACTOR, lastSnapshot)
      await model.pass(100)
    }
    await model.pass(10_000)
    expect(answers.slice(36)).toEqual(Array.from({ length: 64 }, () => true))
    const mixed = steps.filter((step) => !step.startsWith('0 folds'))
    expect(mixed.length).toBeGreaterThan(1)
    for (const step of mixed.slice(0, -1)) expect(step).not.toContain(' 0 over')
  })

  it('rests no longer than its shard is open here', async () => {
    const { model, journal, shard } = await opened()
    const folding = shard.fold(ACTOR, lastSnapshot)
    await model.pass(3_000)
    await model.settle(shard.close())
    expect(await folding).toBe(false)
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    await model.pass(60_000)
    expect(model.model.readEvents(ACTOR, 0)).toHaveLength(2)
  })

  it.each([100, 3_000])(
    'is given up where the record goes whole %i ms later: its id may begin anew',
    async (ms) => {
      const { model, shard } = await opened([], undefined, true)
      const folding = shard.fold(ACTOR, lastSnapshot)
      await model.pass(ms)
      expect(await model.settle(shard.forget(ACTOR, { seq: 2, data: null }))).toBe(true)
      expect(await model.settle(folding, 1_000)).toBe(false)
    },
  )

  it('lets nothing go before the snapshot is durable', async () => {
    const { model, journal, shard } = await opened([], () => ({
      writeSnapshot: () => Promise.reject(new StoreFailure('unknown', 'away')),
    }))
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    await expect(model.settle(shard.fold(ACTOR, lastSnapshot))).rejects.toThrow('away')
    await model.pass(10_000)
    expect(model.model.readEvents(ACTOR, 0)).toHaveLength(2)
  })

  it('lets nothing go when another node may have the shard', async () => {
    const { model, journal, shard } = await opened()
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    const folding = shard.fold(ACTOR, lastSnapshot)
    const closing = shard.close()
    await expect(model.settle(folding)).rejects.toThrow('shard 0')
    await model.settle(closing)
    await model.pass(10_000)
    expect(model.model.readEvents(ACTOR, 0)).toHaveLength(2)
  })

  it('is over before the shard is handed back', async () => {
    const steps: string[] = []
    const held = Promise.withResolvers<void>()
    const { model, journal, shard } = await opened([], (store) => ({
      append: (slot: Parameters<JournalStore['append']>[0]) => {
        if (slot.record.kind === 'open') steps.push(`opened by ${slot.record.node || 'nobody'}`)
        return store.append(slot)
      },
      forget: async (...given: Parameters<JournalStore['forget']>) => {
        steps.push('begun')
        await held.promise
        await store.forget(...given)
        steps.push('done')
      },
    }))
    await model.settle(journal.savePosition(READER, 0, { no: 2, index: 0 }))
    void shard.fold(ACTOR, lastSnapshot)
    await model.pass(2_000)
    const closing = shard.close()
    await model.pass(1_000)
    expect(steps.slice(1)).toEqual(['begun'])
    held.resolve()
    await model.settle(closing)
    expect(steps.slice(1)).toEqual(['begun', 'done', 'opened by nobody'])
  })
})
