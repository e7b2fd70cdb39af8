import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { KeptShardMap, ShardLoadStore, ShardMapStore } from '../../../src/ports/shard-map.ts'
import { emptyMap } from '../../../src/cluster/map/map-view.ts'

export type MapUnderTest = AsyncDisposable & {
  readonly map: ShardMapStore
  readonly another: ShardMapStore
  readonly loads: ShardLoadStore
}

/** Begins with a store that has no map. */
export const describeMap = (engine: string, open: () => Promise<MapUnderTest>): void => {
  describe(`the map of shards on ${engine}`, () => {
    let subject: MapUnderTest
    const full = (version: number, node: string): KeptShardMap => ({
      version,
      frozen: version % 2 === 0,
      places: emptyMap().places.map((_, shard) => ({
        owner: shard % 3 === 0 ? null : node,
        desired: shard % 5 === 0 ? 'n-2' : node,
        pinned: shard === 7,
        epoch: shard % 2 === 0 ? null : shard,
      })),
      members: [
        { node, state: 'taking', life: 'first', isNew: true, hasDied: true },
        { node: 'n-2', state: 'leaving', staysDrained: true },
      ],
      planned: [{ shard: 9, to: 'n-2' }],
      deaths: [{ node: 'n-2', count: 3 }],
    })
    beforeAll(async () => {
      subject = await open()
    })
    afterAll(async () => subject[Symbol.asyncDispose]())

    it('comes back as it was written, also to others, and only over the version before it', async () => {
      const { map, another } = subject
      expect(await map.read()).toBeNull()
      expect(await map.replace(full(2, 'n-1'))).toBe(false)
      expect(await map.replace(full(1, 'n-1'))).toBe(true)
      expect(await another.replace(full(1, 'n-3'))).toBe(false)
      expect(await another.read()).toEqual(full(1, 'n-1'))
      expect(await another.replace(full(2, 'n-3'))).toBe(true)
      expect(await map.replace(full(2, 'n-1'))).toBe(false)
      expect(await map.replace(full(4, 'n-1'))).toBe(false)
      expect(await map.read()).toEqual(full(2, 'n-3'))
      expect(await map.read()).toEqual(full(2, 'n-3'))
    })

    it('lets one of many who change it at once through', async () => {
      const replaced = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? subject.map : subject.another).replace(full(3, `m-${index}`)),
        ),
      )
      expect(replaced.filter(Boolean)).toHaveLength(1)
      expect(await subject.another.read()).toEqual(full(3, `m-${replaced.indexOf(true)}`))
    })

    it('has what each node last told of its loads beside it', async () => {
      const { loads } = subject
      const load = { shard: 4, eventsPerSecond: 12.25, bytesPerSecond: 4_000.5, residents: 30 }
      await loads.tell({ node: 'n-1', loads: [load, { ...load, shard: 5 }] })
      await loads.tell({ node: 'n-1', loads: [load] })
      await loads.tell({ node: 'n-2', loads: [] })
      const told = (await loads.read()).toSorted((one, other) => (one.node < other.node ? -1 : 1))
      expect(told).toEqual([
        { node: 'n-1', loads: [load] },
        { node: 'n-2', loads: [] },
      ])
    })
  })
}
