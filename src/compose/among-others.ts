import { shardsKnownTo } from '../actors/parked-record/known-shards.ts'
import { isDraining } from '../cluster/draining.ts'
import { allSpeak } from '../cluster/everywhere/all-speak.ts'
import { type EveryNode, everyNode, onlyNode } from '../cluster/everywhere/every-node.ts'
import { OPENS_WITH_KEYS_OF_EXCHANGES } from '../cluster/link/sockets/greeting.ts'
import { watchMoves } from '../cluster/move-watch.ts'
import { movingIn } from '../cluster/planner/next-map.ts'
import { shardOrders } from '../cluster/planner/orders.ts'
import type { Host } from '../host/host.ts'
import type { Membership } from '../ports/membership.ts'
import type { LinkPeer } from '../ports/node-link.ts'
import type { KeptShardMap, NodeLoads } from '../ports/shard-map.ts'
import { showAskTraffic, showShardActivity, showShardMap } from '../telemetry/cluster-metrics.ts'
import { showFacts, showLinks } from '../telemetry/link-metrics.ts'
import type { actorsOfAllNodes } from './actors-of-all-nodes.ts'
import { type ClusterNode, thisNode } from './join-cluster.ts'
import { ownMap } from './keep-shards.ts'
import type { ServiceContext } from './service-context.ts'

const ANNOUNCE_MS_MAX = 4_000

type Parts = {
  readonly cluster: ClusterNode | null
  readonly everywhere: ReturnType<typeof actorsOfAllNodes> | null
  readonly membership: Membership
  readonly host: Host
}

/** What is to be known and ordered of the nodes, also where there is but one. */
export const amongOthers = (context: ServiceContext, { cluster, everywhere, membership, host }: Parts) => {
  const every = cluster === null ? onlyNode : everyNode(cluster)
  const status = cluster && statusOf(context, cluster)
  showShardActivity(context.metrics, () => host.counts())
  if (cluster !== null) shardsKnownTo(host.actors).knownAs(cluster.session)
  if (everywhere !== null) {
    showAskTraffic(context.metrics, everywhere.counts)
    showFacts(context.metrics, everywhere.factSizes)
  }
  return {
    node: thisNode(context.config).node,
    /** Null where this is the only node there can be. */
    cluster,
    everywhere,
    // A process that has its engine to itself keeps no lease in it.
    leases: async () => cluster?.stores.leases.list() ?? membership.alive(),
    /** How this node reaches each of the others. */
    linkPeers: (): readonly LinkPeer[] => cluster?.link.peers() ?? [],
    /** Whether every node can open a message in a mailbox that is sealed with the key of its exchange. */
    allOpenWithKeysOfExchanges: (): boolean =>
      cluster === null || allSpeak(cluster, OPENS_WITH_KEYS_OF_EXCHANGES),
    /** For what has to be done on every node before somebody is answered. */
    everyNode: every,
    /** Resolves when every node knows that something may be parked in the shard. */
    announceParked: parkedAnnounced(every, host),
    /** What operators can order; null where there is but one node. */
    shardOrders:
      cluster &&
      shardOrders({
        map: cluster.map,
        leases: () => cluster.stores.leases.list(),
        loads: cluster.stores.loads,
      }),
    /** The map as operators are to see it: read now, or of a process that has everything to itself. */
    mapNow: async (): Promise<KeptShardMap> => cluster?.map.refreshed() ?? ownMap(context, host),
    shardLoads: async (): Promise<readonly NodeLoads[]> => cluster?.stores.loads.read() ?? [],
    /** The longest that a shard lately stood still because it moved here; null where none did. */
    recentPauseMs: (): number | null => {
      const waitedMs = everywhere?.counts().longestWaitMs ?? 0
      const movedMs = status?.recentPauseMs() ?? null
      return waitedMs > 0 ? Math.max(waitedMs, movedMs ?? 0) : movedMs
    },
    /** Whether this node is to be empty, so that requests should go to others, although it answers them. */
    isDraining: (): boolean => status?.isDraining() ?? false,
  }
}

const statusOf = ({ metrics, runtime }: ServiceContext, cluster: ClusterNode) => {
  const { self, map, lease, link, strangers } = cluster
  const moves = watchMoves(self, map, runtime)
  const drains = (): boolean => isDraining(self, map.current(), lease)
  showShardMap(metrics, () => {
    const { version, frozen, places } = map.current()
    return { version, frozen, moving: movingIn({ places }).length, isDraining: drains(), ...moves.counts() }
  })
  showLinks(metrics, () => ({ ...link.counts(), peers: link.peers(), strangers: strangers() }))
  return { recentPauseMs: moves.recentPauseMs, isDraining: drains }
}

const parkedAnnounced = (every: EveryNode, host: Host): ((shard: number) => Promise<void>) => {
  const note = async (shard: string): Promise<void> => shardsKnownTo(host.actors).announced(Number(shard))
  const announce = every.work('parked', ANNOUNCE_MS_MAX, note)
  return (shard) => announce(String(shard))
}
