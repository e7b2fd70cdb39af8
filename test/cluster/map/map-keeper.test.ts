import { expect, it } from 'vitest'
import { mapKeeperDefaults } from '../../../src/cluster/map/keeper-parts.ts'
import { MapKeeper } from '../../../src/cluster/map/map-keeper.ts'
import { emptyMap, MapView } from '../../../src/cluster/map/map-view.ts'
import { ShardHeld } from '../../../src/ports/journal.ts'
import type { KeptShardMap } from '../../../src/ports/shard-map.ts'
import { ModelJournal } from '../../persistence/model-journal.ts'

/** Node `a`, which is to serve three shards, the second of which cannot be opened. */
const begin = (failure: () => Error) => {
  const model = new ModelJournal()
  const away: { promise: Promise<void> | null } = { promise: null }
  const { runtime } = model.process('a')
  const first = emptyMap(3)
  let row: KeptShardMap = {
    ...first,
    version: 1,
    places: first.places.map((place) => ({ ...place, desired: 'a' })),
  }
  const view = new MapView(
    {
      read: async () => {
        await away.promise
        return row
      },
      replace: async (next) => {
        if (next.version !== row.version + 1) return false
        row = next
        return true
      },
    },
    runtime,
    3,
  )
  const open = new Set<number>()
  const tries: number[] = []
  const reports: (number | null)[] = []
  const lease = {
    node: 'a',
    incarnation: 'i',
    counter: 1,
    address: '',
    linkAddress: '',
    state: 'alive',
  } as const
  const keeper = new MapKeeper({
    node: 'a',
    membership: {
      session: () => ({ owner: 'a~i', ended: new AbortController().signal, valid: () => true }),
      alive: () => [lease],
    },
    map: view,
    runtime,
    settings: mapKeeperDefaults,
    weightOf: () => 1,
    report: (shard) => reports.push(shard),
    server: {
      open: async (shard) => {
        if (shard === 1) {
          tries.push(model.world.nowMs)
          throw failure()
        }
        open.add(shard)
        return 1
      },
      catchUp: async () => undefined,
      close: async (shard) => void open.delete(shard),
      isOpen: (shard) => open.has(shard),
    },
    talk: { isAwaited: async () => true, handOver: async () => undefined },
  })
  keeper.start()
  return { model, open, tries, reports, keeper, now: () => row, away }
}

it('a shard that cannot be opened is tried again less and less often, and its neighbours are served', async () => {
  const { model, open, tries, reports } = begin(() => new Error('it does not decode'))
  await model.pass(60_000)
  expect([...open]).toEqual([0, 2])
  expect(reports).toHaveLength(tries.length)
  expect(tries.length).toBeLessThan(30)
  expect(tries.length).toBeGreaterThan(8)
})

it('a shard that its owner has not let go yet is looked at again and again', async () => {
  const { model, tries } = begin(() => new ShardHeld(1, 'b~i'))
  await model.pass(60_000)
  expect(tries.length).toBeGreaterThan(50)
})

it('a node that stops says so, and is not in the way of others who change the map', async () => {
  const { model, keeper, now, open } = begin(() => new Error('it does not decode'))
  await model.pass(5_000)
  await model.settle(keeper.stop())
  expect(now().members).toMatchObject([{ node: 'a', state: 'leaving' }])
  expect(open.size).toBe(0)
})

it('a node says since when it has done nothing of what the map wants, until it has stopped', async () => {
  const { model, keeper, away } = begin(() => new Error('it does not decode'))
  await model.pass(20_000)
  expect(keeper.heldUp().mapMs).toBeLessThan(2_000)
  away.promise = new Promise(() => {})
  await model.pass(30_000)
  expect(keeper.heldUp().mapMs).toBeGreaterThan(28_000)
  away.promise = null
  await model.pass(4_000)
  expect(keeper.heldUp().mapMs).toBeLessThan(2_000)
  await model.settle(keeper.stop())
  await model.pass(60_000)
  expect(keeper.heldUp()).toEqual({ handOffMs: 0, mapMs: 0 })
})
