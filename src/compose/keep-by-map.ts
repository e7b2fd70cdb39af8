import { reportLoads } from '../cluster/map/load-report.ts'
import type { HeldUpNodes } from '../cluster/map/held-up.ts'
import { type HandOffTalk, mapKeeperDefaults, type MapKeeperSettings } from '../cluster/map/keeper-parts.ts'
import { MapKeeper } from '../cluster/map/map-keeper.ts'
import { Coordinator, coordinatorDefaults } from '../cluster/planner/coordinator.ts'
import { hungDefaults, type HungSettings } from '../cluster/planner/hung-nodes.ts'
import type { Host } from '../host/host.ts'
import type { ClusterStores } from '../persistence/open-engine.ts'
import type { Membership, ShardServer } from '../ports/membership.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { ChangeableMap } from '../ports/shard-map.ts'

type Parts = {
  readonly node: string
  readonly membership: Membership
  readonly stores: ClusterStores
  readonly map: ChangeableMap
  readonly host: Pick<Host, 'counts'>
  readonly server: ShardServer
  readonly talk: HandOffTalk
  readonly heldUp: HeldUpNodes
  readonly runtime: Runtime
  readonly settings?: Partial<MapKeeperSettings>
  readonly hung?: Partial<HungSettings>
  readonly report: (shard: number | null, error: unknown) => void
  /** Called when this node has ended the lease of another one that hangs. */
  readonly hasEnded: (node: string) => void
}

/** What each node of a cluster does for the map of shards, begun here: follow it, take turns at changing it, tell of loads. */
export const keepByMap = (parts: Parts) => {
  const { node, membership, stores, map, host, server, talk, heldUp, runtime, report, hasEnded } = parts
  const settings = { ...mapKeeperDefaults, ...parts.settings }
  const { loads } = stores
  const leases = () => stores.leases.list()
  const coordinator = new Coordinator({
    node,
    membership,
    leases,
    map,
    loads,
    endLease: (lease) => stores.leases.end(lease),
    heldUpOf: heldUp.of,
    hasEnded,
    runtime,
    settings: { ...coordinatorDefaults, hung: { ...hungDefaults, ...parts.hung } },
    report: (error) => report(null, error),
  })
  const weightOf = (shard: number) => coordinator.weightOf(shard)
  const keeper = new MapKeeper({ node, membership, map, server, talk, runtime, settings, weightOf, report })
  heldUp.sayHere(() => keeper.heldUp())
  const stopping = new AbortController()
  const told = reportLoads({ node, counts: () => host.counts(), store: loads, runtime }, stopping.signal)
  keeper.start()
  coordinator.start()
  return {
    isToCome: (shard: number) => keeper.isToCome(shard),
    /** A keeper that follows the map looks again and again in any case. */
    look: (): void => undefined,
    /** Others take the shards first. */
    stop: async (): Promise<void> => {
      await keeper.stop()
      stopping.abort(new Error('the node stops'))
      await Promise.all([coordinator.stop(), told])
    },
  }
}
