import { isDraining } from '../cluster/draining.ts'
import { watchMoves } from '../cluster/move-watch.ts'
import { reportLoads } from '../cluster/map/load-report.ts'
import { mapKeeperDefaults, type MapKeeperSettings } from '../cluster/map/keeper-parts.ts'
import { MapKeeper } from '../cluster/map/map-keeper.ts'
import { MapView } from '../cluster/map/map-view.ts'
import { Coordinator, coordinatorDefaults } from '../cluster/planner/coordinator.ts'
import { movingIn } from '../cluster/planner/next-map.ts'
import { shardOrders } from '../cluster/planner/orders.ts'
import type { Host } from '../host/host.ts'
import type { ClusterStores } from '../persistence/open-engine.ts'
import type { Membership } from '../ports/membership.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { ShardMapStatus } from '../telemetry/cluster-metrics.ts'

export type KeptByMap = ReturnType<typeof keepByMap>

type Parts = {
  readonly node: string
  readonly membership: Membership
  readonly stores: ClusterStores
  readonly host: Host
  readonly runtime: Runtime
  readonly shardCount: number
  readonly settings?: Partial<MapKeeperSettings>
  readonly report: (shard: number | null, error: unknown) => void
}

/** What each node of a cluster does for the map of shards, begun here: follow it, take turns at changing it, tell of loads. */
export const keepByMap = (parts: Parts) => {
  const { node, membership, stores, host, runtime, report } = parts
  const map = new MapView(stores.map, runtime, parts.shardCount)
  const settings = { ...mapKeeperDefaults, ...parts.settings }
  const { loads } = stores
  const leases = () => stores.leases.list()
  const coordinator = new Coordinator({
    node,
    membership,
    leases,
    map,
    loads,
    runtime,
    settings: coordinatorDefaults,
    report: (error) => report(null, error),
  })
  const weightOf = (shard: number) => coordinator.weightOf(shard)
  const keeper = new MapKeeper({ node, membership, map, server: host, runtime, settings, weightOf, report })
  const stopping = new AbortController()
  const told = reportLoads({ node, counts: () => host.counts(), store: loads, runtime }, stopping.signal)
  const moves = watchMoves(node, map, runtime)
  const drains = () => isDraining(node, map.current(), membership)
  keeper.start()
  coordinator.start()
  return {
    map,
    orders: shardOrders({ map, leases, loads }),
    loads,
    moves,
    isDraining: drains,
    status: (): ShardMapStatus => {
      const { version, frozen, places } = map.current()
      return { version, frozen, moving: movingIn({ places }).length, isDraining: drains(), ...moves.counts() }
    },
    isToCome: (shard: number) => keeper.isToCome(shard),
    /** Others take the shards first. */
    stop: async (): Promise<void> => {
      await keeper.stop()
      stopping.abort(new Error('the node stops'))
      await Promise.all([coordinator.stop(), told])
    },
  }
}
