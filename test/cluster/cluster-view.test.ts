import { describe, expect, it } from 'vitest'
import type { NodeLease } from '../../src/ports/lease.ts'
import type { TailPosition, TailRecord } from '../../src/ports/journal.ts'
import { emptyMap } from '../../src/cluster/map/map-view.ts'
import { StoreFailure } from '../../src/persistence/store-port.ts'
import {
  type ClusterPorts,
  clusterNodes,
  clusterShards,
  LAG_COUNTED_MAX,
  lagOfShard,
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
const PLACES = emptyMap().places.map((place, shard) => {
  const owner = ['a', 'b', 'c'][shard % 3] ?? null
  if (shard === 3) return { ...place, owner, desired: 'b' }
  return shard === 4 ? { ...place, desired: 'c' } : { ...place, owner, desired: owner }
})

/** A log of so many entries, one in each slot. */
const portsOf = (more: Partial<ClusterPorts> = {}, entries = 10): ClusterPorts => ({
  node: 'b',
  leases: () => Promise.resolve([lease('c'), lease('a'), lease('b'), lease('d', 'dead'), lease('e', 'left')]),
  places: () => Promise.resolve(PLACES),
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
      ['c', 'alive', false, 86],
      ['d', 'dead', false, 0],
      ['e', 'left', false, 0],
    ])
  })

  it('are all shards, whose they are, and whether they are served here', async () => {
    const shards = await clusterShards(portsOf())
    expect(shards).toHaveLength(256)
    expect(shards.slice(0, 5)).toEqual([
      { number: 0, node: 'a', servedHere: false },
      { number: 1, node: 'b', servedHere: true },
      { number: 2, node: 'c', servedHere: false },
      { number: 3, node: 'a', servedHere: false },
      { number: 4, node: 'c', servedHere: true },
    ])
    const nobody = portsOf({ places: () => Promise.resolve(emptyMap().places), isOpen: () => false })
    expect((await clusterShards(nobody))[0]).toEqual({ number: 0, node: null, servedHere: false })
  })

  it('is how far the events and the lists of a shard are behind', async () => {
    const mine = { number: 1, node: 'b', servedHere: true }
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
    const mine = { number: 1, node: 'b', servedHere: true }
    await expect(lagOfShard(portsOf({ publishedUpTo: away }), mine)).rejects.toMatchObject(retry)
    const broken = portsOf({ places: () => Promise.reject(new TypeError('a bug')) })
    await expect(clusterShards(broken)).rejects.toThrow(TypeError)
  })
})
