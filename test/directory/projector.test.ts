import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DirectoryRow } from '../../src/ports/directory.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { Projector } from '../../src/directory/projector.ts'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { AskFailed } from '../../src/ports/actors.ts'
import { MemoryParking } from '../host/parts/memory-parking.ts'
import { query, row } from './directory-rows.ts'
import { eventually } from '../eventually.ts'

type Tail = { no: number; index: number; epoch: number; entry: { actor: string; seq: number } }[]

const world = {
  tail: [] as Tail,
  away: false,
  awayFor: '',
  saved: [] as unknown[],
  asked: [] as string[],
  failures: 0,
  positions: 0,
  firstKeptNo: 0,
  actors: [] as string[],
  rebuilt: [] as unknown[],
  unreadable: new Set<string>(),
  term: undefined as number | null | undefined,
  terms: [] as unknown[],
  parking: new MemoryParking(),
  written: 0,
  firstRowMs: 0,
}
let directory: SqliteDirectory
let committed: (shard: number, no: number) => void
let projector: Projector
beforeEach(() => {
  Object.assign(world, { tail: [], away: false, saved: [], asked: [], failures: 0, positions: 0 })
  Object.assign(world, { firstKeptNo: 0, actors: [], rebuilt: [], term: undefined, terms: [] })
  Object.assign(world, { unreadable: new Set(), parking: new MemoryParking(), written: 0, firstRowMs: 1 })
  directory = new SqliteDirectory(':memory:')
})
afterEach(async () => {
  await projector[Symbol.asyncDispose]()
  directory[Symbol.dispose]()
})

/** Each slot of this log has one entry, and none of a position with index -1 was read. */
const isAfter = (no: number, from: { no: number; index: number } | null) =>
  from === null || no > from.no || (no === from.no && from.index < 0)

const start = () => {
  projector = new Projector({
    journal: {
      readTail: async (_shard, from, limit) =>
        world.tail.filter(({ no }) => no >= world.firstKeptNo && isAfter(no, from)).slice(0, limit) as never,
      firstKeptNo: async () => world.firstKeptNo,
      savePosition: async (...saved) => void world.saved.push(saved),
      onCommitted: (listener) => {
        committed = listener
        return () => undefined
      },
    },
    directory: {
      positionOf: async (shard) => {
        world.positions += 1
        return directory.positionOf(shard)
      },
      write: async (shard, rows, position, term) => {
        world.terms.push(term)
        world.written += rows.length
        directory.write(shard, rows, position)
      },
    },
    runtime: {
      sleep: (ms, signal) =>
        createRuntime().sleep(ms === 1_000 ? world.firstRowMs : ms < 10_000 ? 1 : ms, signal),
    },
    firstRowWaits: (actor) => actor.startsWith('cre_quick'),
    shards: 1,
    termOf: () => world.term as number | null,
    rowsOf: async (actor): Promise<readonly DirectoryRow[]> => {
      world.asked.push(actor)
      if (world.away || world.awayFor === actor) throw new AskFailed('unavailable', 'away', 1)
      if (world.unreadable.has(actor)) throw new Error('cannot be read')
      return actor.startsWith('cre') ? [row(actor)] : []
    },
    parking: world.parking,
    actorsOf: async function* () {
      yield* world.actors
    },
    rebuilt: (...made) => void world.rebuilt.push(made),
    failed: () => void (world.failures += 1),
  })
}
const commit = (...actors: string[]) => {
  const no = world.tail.length + 1
  for (const [index, actor] of actors.entries()) {
    const seq = 1 + world.tail.filter(({ entry }) => entry.actor === actor).length
    world.tail.push({ no: no + index, index: 0, epoch: 1, entry: { actor, seq } })
  }
}
async function* actorsOf(...actors: readonly string[]) {
  yield* actors
}
const total = async () => (await directory.list(query())).total

describe('the projector', () => {
  it('has caught up only with what was committed while it read a page, too', async () => {
    start()
    await projector.caughtUp()
    commit('cre_1')
    committed(0, 1)
    commit('cre_2')
    committed(0, 2)
    await projector.caughtUp()
    expect(await total()).toBe(2)
  })

  it('writes one row for what a record went through since it was read last', async () => {
    start()
    await projector.caughtUp()
    for (let no = 1; no <= 3; no++) {
      commit('cre_1')
      committed(0, no)
    }
    await eventually(() => expect(world.written).toBe(1))
    expect(world.asked).toEqual(['cre_1'])
  })

  it('asks each actor that changed once for a page of the log, and follows new commits', async () => {
    commit('cre_1', 'cre_1', 'key_1')
    start()
    await projector.caughtUp()
    expect([await total(), world.asked]).toEqual([1, ['cre_1', 'key_1']])
    commit('cre_2')
    committed(0, 4)
    await eventually(async () => expect(await total()).toBe(2))
    expect(world.saved).toEqual([['directory', 0, { no: 3, index: 0 }]])
  })

  it('tries again what it could not ask, and skips nothing', async () => {
    world.away = true
    commit('cre_1')
    start()
    await eventually(() => expect(world.failures).toBeGreaterThan(1))
    expect(directory.positionOf(0)).toBeNull()
    world.away = false
    await projector.caughtUp()
    expect([await total(), directory.positionOf(0)]).toEqual([1, { no: 1, index: 0 }])
  })

  it('goes on without the row of a record that cannot be read, and lists it when a retry can', async () => {
    world.unreadable.add('cre_2')
    commit('cre_1', 'cre_2', 'cre_3')
    start()
    await projector.caughtUp()
    expect([await total(), world.failures]).toEqual([2, 0])
    expect(world.parking.parked).toMatchObject([{ part: 'lists', recordId: 'cre_2' }])
    const retry = async () => {
      world.parking.askRetry('lists cre_2')
      commit('prk_1')
      committed(0, world.tail.length)
      await projector.caughtUp()
    }
    await retry()
    expect([await total(), world.parking.kept]).toEqual([2, ['lists cre_2']])
    world.unreadable.clear()
    world.awayFor = 'cre_2'
    const meanwhile = retry()
    await eventually(() => expect(world.failures).toBeGreaterThan(0))
    world.awayFor = ''
    await meanwhile
    expect([await total(), world.parking.parked]).toEqual([3, []])
  })

  it('stands still where nothing more can be parked, until a retry or a mended record lets it go on', async () => {
    world.parking.isFull = true
    world.unreadable.add('cre_1')
    commit('cre_1', 'cre_2')
    start()
    await eventually(() => expect(world.failures).toBeGreaterThan(1))
    expect(await total()).toBe(0)
    world.unreadable.clear()
    await projector.caughtUp()
    expect(await total()).toBe(2)
  })

  it('asks once where the lists of a shard stand', async () => {
    start()
    for (const actor of ['cre_1', 'cre_2', 'cre_3']) {
      commit(actor)
      committed(0, world.tail.length)
      await eventually(() => expect(world.asked).toContain(actor))
      await projector.caughtUp()
    }
    expect(world.positions).toBe(1)
  })

  it('goes on where it stopped', async () => {
    commit('cre_1')
    start()
    await projector.caughtUp()
    await projector[Symbol.asyncDispose]()
    commit('cre_2')
    start()
    await projector.caughtUp()
    expect(world.asked).toEqual(['cre_1', 'cre_2'])
  })

  it.each([
    ['nothing was read', null],
    ['an older file took its place', { no: 1, index: 0 }],
  ])('makes a shard anew whose log is gone where it would read on: %s', async (_why, position) => {
    if (position !== null) directory.write(0, [row('cre_1')], position)
    commit('cre_1', 'cre_2', 'cre_3', 'cre_4')
    Object.assign(world, { firstKeptNo: 4, actors: ['cre_1', 'cre_2', 'cre_3', 'key_1'] })
    start()
    await projector.caughtUp()
    expect([await total(), world.rebuilt]).toEqual([4, [[0, 3]]])
    expect(directory.positionOf(0)).toEqual({ no: 4, index: 0 })
    await projector[Symbol.asyncDispose]()
    start()
    await projector.caughtUp()
    expect(world.rebuilt).toHaveLength(1)
  })

  it('makes a shard anew whose log went away while it followed', async () => {
    commit('cre_1')
    start()
    await projector.caughtUp()
    commit('cre_2', 'cre_3')
    Object.assign(world, { firstKeptNo: 3, actors: ['cre_1', 'cre_2', 'cre_3'] })
    committed(0, 3)
    await eventually(() => expect(world.rebuilt).toEqual([[0, 3]]))
    await projector.caughtUp()
    expect([await total(), directory.positionOf(0)]).toEqual([3, { no: 3, index: 0 }])
  })

  it('keeps its place while a shard that missed something cannot be made anew', async () => {
    Object.assign(world, { firstKeptNo: 2, actors: ['cre_1'], away: true })
    start()
    await eventually(() => expect(world.failures).toBeGreaterThan(1))
    expect(directory.positionOf(0)).toBeNull()
    world.away = false
    await projector.caughtUp()
    expect([await total(), world.rebuilt]).toEqual([1, [[0, 1]]])
  })

  describe('of records that change once more at once', () => {
    const QUIET_MS = 30_000
    const commitNow = (...actors: string[]) => {
      commit(...actors)
      committed(0, world.tail.length)
    }

    it('writes one row each, whether both changes come together or one after the other', async () => {
      world.firstRowMs = QUIET_MS
      commit('cre_quick1', 'cre_quick2', 'cre_quick2')
      start()
      await eventually(() => expect(world.asked).toEqual(['cre_quick2']))
      commitNow('cre_quick1')
      await eventually(() => expect(world.asked).toEqual(['cre_quick2', 'cre_quick1']))
      await projector.caughtUp()
      expect([await total(), world.written, world.asked.length]).toEqual([2, 2, 2])
      expect(directory.positionOf(0)).toEqual({ no: 4, index: 0 })
    })

    it('writes the row a second later where nothing more comes', async () => {
      commit('cre_quick1')
      start()
      await eventually(async () => expect(await total()).toBe(1))
      await eventually(() => expect(directory.positionOf(0)).toEqual({ no: 1, index: 0 }))
    })

    it('writes it at once for whoever waits for the lists', async () => {
      world.firstRowMs = QUIET_MS
      start()
      commitNow('cre_quick1')
      await projector.caughtUp()
      expect(await total()).toBe(1)
      commitNow('cre_quick2')
      await projector.caughtUp(0)
      expect([await total(), world.written]).toEqual([2, 2])
    })

    it('has the file stand before what waits, so that it is read again after a crash', async () => {
      world.firstRowMs = QUIET_MS
      commit('cre_1', 'cre_quick1', 'cre_2')
      start()
      await eventually(async () => expect(await total()).toBe(2))
      commitNow('cre_3')
      await eventually(async () => expect(await total()).toBe(3))
      expect(directory.positionOf(0)).toEqual({ no: 1, index: 0 })
      await projector[Symbol.asyncDispose]()
      start()
      await projector.caughtUp()
      expect(await total()).toBe(4)
      expect(directory.positionOf(0)).toEqual({ no: 4, index: 0 })
    })

    it('asks again for what waited where the rows behind it could not be written', async () => {
      world.firstRowMs = QUIET_MS
      commit('cre_quick1')
      start()
      await projector.caughtUp()
      commitNow('cre_quick2')
      world.away = true
      commitNow('cre_1')
      await eventually(() => expect(world.failures).toBeGreaterThan(1))
      world.away = false
      await eventually(async () => expect(await total()).toBe(2))
      await projector.caughtUp()
      expect(await total()).toBe(3)
    })

    it('does not let more than a thousand wait', async () => {
      world.firstRowMs = QUIET_MS
      commit(...Array.from({ length: 1_100 }, (_, index) => `cre_quick${index}`))
      start()
      await eventually(async () => expect(await total()).toBe(76))
      await projector.caughtUp()
      expect(await total()).toBe(1_100)
    })
  })

  it('writes all rows anew while it goes on following, and keeps its place', async () => {
    commit('cre_1')
    start()
    await projector.caughtUp()
    async function* actors() {
      yield 'cre_1'
      commit('cre_4')
      committed(0, 2)
      yield* ['cre_2', 'key_1', 'cre_3']
    }
    expect(await projector.rebuild(0, actors())).toBe(3)
    await eventually(async () => expect(await total()).toBe(4))
    expect(directory.positionOf(0)).toEqual({ no: 2, index: 0 })
  })

  it('gives a rebuild up whose shard has moved away, or moves away under it', async () => {
    start()
    await projector.caughtUp()
    world.away = true
    commit('cre_1')
    committed(0, 1)
    const waiting = projector.rebuild(0, actorsOf('cre_1'))
    world.term = null
    await expect(waiting).rejects.toThrow()
    await expect(projector.rebuild(0, actorsOf('cre_1'))).rejects.toThrow('given up')
    world.term = undefined
    world.away = false
    expect(await projector.rebuild(0, actorsOf('cre_1'))).toBe(1)
  })

  it('writes in the term in which it has asked', async () => {
    world.term = 5
    commit('cre_1')
    start()
    world.term = 7
    await projector.caughtUp()
    expect(world.terms).toEqual([5])
  })

  it('gives a rebuild up that fails or comes too late', async () => {
    start()
    world.away = true
    async function* actors() {
      yield 'cre_1'
    }
    await expect(projector.rebuild(0, actors())).rejects.toThrow('away')
    world.away = false
    expect(await projector.rebuild(0, actors())).toBe(1)
    await projector[Symbol.asyncDispose]()
    const late = projector.rebuild(0, actors())
    await Promise.all([expect(late).rejects.toThrow('given up'), projector[Symbol.asyncDispose]()])
  })
})
