import { emptyMap, MapView } from '../../src/cluster/map/map-view.ts'
import { nextMap } from '../../src/cluster/planner/next-map.ts'
import { shardOrders } from '../../src/cluster/planner/orders.ts'
import type { NodeLease } from '../../src/ports/lease.ts'
import type { Runtime } from '../../src/ports/runtime.ts'
import type { KeptShardMap, NodeLoads, ShardMapStore } from '../../src/ports/shard-map.ts'
import type { ShardOrders } from '../../src/ports/shard-orders.ts'
import { planningFor } from '../cluster/planner/parts.ts'

const lease = (node: string, state: NodeLease['state']): NodeLease => {
  return { node, incarnation: 'i', counter: 1, address: `${node}:9000`, linkAddress: '', state }
}

const LINKED_MS = Date.UTC(2026, 10, 23, 12)

/** Two that live, and one that died; the first has every shard. */
const LEASES = [
  { ...lease('node-1', 'alive'), reached: ['node-2'] },
  lease('node-2', 'alive'),
  lease('node-3', 'dead'),
]
const ALIVE = ['node-1', 'node-2']

const INITIAL: KeptShardMap = {
  ...emptyMap(),
  version: 1,
  places: emptyMap().places.map((place) => ({ ...place, owner: 'node-1', desired: 'node-1', epoch: 1 })),
  members: [
    { node: 'node-1', state: 'taking' },
    { node: 'node-2', state: 'taking' },
  ],
}

const LOADS: readonly NodeLoads[] = [
  { node: 'node-1', loads: [{ shard: 47, eventsPerSecond: 2.5, bytesPerSecond: 1_000, residents: 30 }] },
]

/** The orders of operators with the planner as it is, over a map that is kept here; nobody follows it but `step`. */
export const clusterOnMemory = (runtime: Runtime) => {
  let kept = INITIAL
  const store: ShardMapStore = {
    read: () => Promise.resolve(kept),
    replace: (next) => {
      const isNext = next.version === kept.version + 1
      if (isNext) kept = next
      return Promise.resolve(isNext)
    },
  }
  const map = new MapView(store, runtime)
  const leases = () => Promise.resolve(LEASES)
  const loads = () => Promise.resolve(LOADS)
  const orders = shardOrders({ map, leases, loads: { read: loads } })
  const given: { instead: Partial<ShardOrders>; isAlone: boolean; pauseMs: number | null } = {
    instead: {},
    isAlone: false,
    pauseMs: null,
  }
  const put = (next: Omit<KeptShardMap, 'version'>): void => {
    kept = { ...next, version: kept.version + 1 }
  }
  return {
    given,
    now: () => kept,
    put,
    /** As it was at first, whatever was ordered. */
    reset: (): void => {
      put(INITIAL)
      Object.assign(given, { instead: {}, isAlone: false, pauseMs: null })
    },
    /** What the nodes would do: some planned moves begin, and those that were under way arrive. */
    step: (): void => {
      const places = kept.places.map((place) => ({ ...place, owner: place.desired }))
      const settled = { ...kept, places }
      const weights = places.map(() => 1)
      put(nextMap(settled, planningFor(ALIVE, { weights }), () => []) ?? settled)
    },
    /** For `composeCluster`. */
    parts: {
      node: 'node-1',
      leases,
      linkPeers: () => [
        { node: 'node-2', state: 'connected' as const, sinceMs: LINKED_MS, speaks: 3, waiting: 0 },
      ],
      mapNow: () => map.refreshed(),
      shardLoads: loads,
      get shardOrders(): ShardOrders | null {
        return given.isAlone ? null : { ...orders, ...given.instead }
      },
      recentPauseMs: () => given.pauseMs,
    },
  }
}

export type ClusterOnMemory = ReturnType<typeof clusterOnMemory>
