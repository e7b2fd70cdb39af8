import { describe, expect, it } from 'vitest'
import type { NodeLease } from '../../src/ports/lease.ts'
import type { TailPosition, TailRecord } from '../../src/ports/journal.ts'
import { emptyMap } from '../../src/cluster/map/map-view.ts'
import type { KeptPlace, KeptShardMap } from '../../src/ports/shard-map.ts'
import type { ShardOrders } from '../../src/ports/shard-orders.ts'
import { StoreFailure } from '../../src/persistence/store-port.ts'
import {
  type ClusterPorts,
  clusterNodes,
  clusterShards,
  LAG_COUNTED_MAX,
  lagOfShard,
  movesUnderWay,
  orderIn,
} from '../../src/cluster/cluster-view.ts'

const lease = (node: string, state: NodeLease['state'] = 'alive'): NodeLease => ({
  node,
  incarnation: 'i',
  counter: 1,
  address: `${node}:9000`,
  linkAddress: '',
  state,
})

/** Served by three nodes in turn, but for two: one on its way, and one that has no owner yet. */
const MAP: KeptShardMap = {
  ...emptyMap(),
  version: 5,
  members: [
    { node: 'a', state: 'taking' },
    { node: 'c', state: 'drained' },
  ],
}
const PLACES = MAP.places.map((place, shard) => {
  const owner = ['a', 'b', 'c'][shard % 3] ?? null
  if (shard === 3) return { ...place, owner, desired: 'b' }
  return shard === 4 ? { ...place, desired: 'c' } : { ...place, owner, desired: owner }
})

const loadOf = (shard: number) => ({ shard, eventsPerSecond: 2, bytesPerSecond: 100, residents: 3 })

/** A log of so many entries, one in each slot. */
const portsOf = (more: Partial<ClusterPorts> = {}, entries = 10): ClusterPorts => ({
  node: 'b',
  leases: () => Promise.resolve([lease('c'), lease('a'), lease('b'), lease('d', 'dead'), lease('e', 'left')]),
  linkPeers: () => [{ node: 'a', state: 'refused', speaks: null, sinceMs: 5, waiting: 0 }],
  map: () => Promise.resolve({ ...MAP, places: PLACES }),
  loads: () => Promise.resolve([{ node: 'a', loads: [loadOf(0), loadOf(1)] }]),
  orders: null,
  isOpen: (shard) => shard % 3 === 1,
  journal: {
    readTail: (_shard: number, from: TailPosition | null, limit: number) =>
      Promise.resolve(
        Array.from({ length: Math.min(limit, entries - (from?.no ?? 0)) }, () => ({}) as TailRecord),
      ),
  },
  publishedUpTo: () => Promise.resolve({ no: 10, index: 0 }),
  listedUpTo: () => Promise.resolve({ no: 7, index: 0 }),
  ...more,
})

describe('what operators see of a cluster', () => {
  it('are its nodes by name, with their share of the shards; the dead and the gone have none', async () => {
    const nodes = await clusterNodes(portsOf())
    expect(nodes.map(({ id, status, current, shards }) => [id, status, current, shards])).toEqual([
      ['a', 'alive', false, 86],
      ['b', 'alive', true, 84],
      ['c', 'alive', false, 85],
      ['d', 'dead', false, 0],
      ['e', 'left', false, 0],
    ])
  })

  it('are nodes with who reaches whom, and how the one that answers reaches each', async () => {
    const leases = async () => [
      { ...lease('a'), reached: ['c'] },
      { ...lease('b', 'coming'), reached: [] },
      { ...lease('c', 'left'), reached: ['a'] },
    ]
    const nodes = await clusterNodes(portsOf({ leases }))
    expect(nodes.map(({ id, status, link, reaches }) => [id, status, link, reaches])).toEqual([
      ['a', 'alive', { state: 'refused', sinceMs: 5 }, ['c']],
      ['b', 'coming', null, []],
      ['c', 'left', null, null],
    ])
  })

  it('are all shards, whose they are, and whether they are served here', async () => {
    const shards = await clusterShards(portsOf())
    expect(shards).toHaveLength(256)
    const still = { moving: false, pinned: false, servedHere: false, load: null }
    const { shard: _, ...load } = loadOf(0)
    expect(shards.slice(0, 5)).toEqual([
      { ...still, number: 0, owner: 'a', desired: 'a', load },
      { ...still, number: 1, owner: 'b', desired: 'b', servedHere: true },
      { ...still, number: 2, owner: 'c', desired: 'c' },
      { ...still, number: 3, owner: 'a', desired: 'b', moving: true },
      { ...still, number: 4, owner: null, desired: 'c', moving: true, servedHere: true },
    ])
  })

  it('is what moves, what was ordered and has not begun, and what a node that is to be empty has left', async () => {
    const few = PLACES.slice(0, 6).with(5, {
      ...emptyMap().places[5],
      owner: 'c',
      desired: 'c',
      pinned: true,
    } as KeptPlace)
    const map: KeptShardMap = { ...MAP, places: few, planned: [{ shard: 0, to: 'b' }] }
    const on = (more: Partial<KeptShardMap> = {}) => movesUnderWay({ map: async () => ({ ...map, ...more }) })
    expect(await on()).toEqual({
      version: 5,
      frozen: false,
      moving: [
        { shard: 3, from: 'a', to: 'b' },
        { shard: 4, from: null, to: 'c' },
      ],
      toCome: [
        { shard: 0, from: 'a', to: 'b' },
        { shard: 2, from: 'c', to: null },
        { shard: 4, from: 'c', to: null },
      ],
    })
    // Nothing of a drained node moves while the map is frozen, and where nobody takes its shards.
    expect((await on({ frozen: true })).toCome).toEqual([{ shard: 0, from: 'a', to: 'b' }])
    expect((await on({ members: MAP.members.slice(1) })).toCome).toHaveLength(1)
    const leaving = await on({
      frozen: true,
      members: [...MAP.members.slice(0, 1), { node: 'c', state: 'leaving' }],
    })
    expect(leaving.toCome.map(({ shard }) => shard)).toEqual([0, 2, 4, 5])
  })

  it('are nodes with their part, what they carry, and what is to come to them', async () => {
    const nodes = [{ node: 'a', before: 1.234, after: 1 }]
    const plan = () => Promise.resolve({ version: 5, moves: [], nodes })
    const [a, b, c] = await clusterNodes(portsOf({ orders: { plan } as unknown as ShardOrders }))
    expect(a).toMatchObject({ part: 'taking', shards: 86, shardsToCome: 0, load: 1.23 })
    expect(b).toMatchObject({ part: null, shards: 84, shardsToCome: 1, load: null })
    expect(c).toMatchObject({ part: 'drained', shardsToCome: 1 })
  })

  it('takes no orders where one process has everything to itself', async () => {
    const freeze = (orders: ShardOrders) => orders.freeze()
    expect(await orderIn({ orders: null }, freeze)).toMatchObject({ refused: 'no_cluster' })
    const away = {
      freeze: () => Promise.reject(new StoreFailure('not-applied', 'away')),
    } as unknown as ShardOrders
    await expect(orderIn({ orders: away }, freeze)).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('is how far the events and the lists of a shard are behind', async () => {
    const mine = { number: 1, servedHere: true }
    expect(await lagOfShard(portsOf(), mine)).toEqual({ eventsBehind: 0, listsBehind: 3 })
    expect(await lagOfShard(portsOf(), { ...mine, servedHere: false })).toEqual({
      eventsBehind: 0,
      listsBehind: null,
    })
    const nothingRead = portsOf({ publishedUpTo: () => Promise.resolve(null) }, 1_000)
    expect((await lagOfShard(nothingRead, mine)).eventsBehind).toBe(LAG_COUNTED_MAX)
  })

  it('is to be asked for again while the store is away', async () => {
    const away = () => Promise.reject(new StoreFailure('not-applied', 'away'))
    const retry = { code: 'unavailable', retryAfterMs: 1_000 }
    await expect(clusterNodes(portsOf({ leases: away }))).rejects.toMatchObject(retry)
    const mine = { number: 1, servedHere: true }
    await expect(lagOfShard(portsOf({ publishedUpTo: away }), mine)).rejects.toMatchObject(retry)
    const broken = portsOf({ map: () => Promise.reject(new TypeError('a bug')) })
    await expect(clusterShards(broken)).rejects.toThrow(TypeError)
  })
})
