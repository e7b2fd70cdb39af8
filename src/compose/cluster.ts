import type { ClusterView, ExpectedPause } from '../ports/cluster.ts'
import { PUBLISHER } from '../stream/shard-publisher.ts'
import {
  type ClusterPorts,
  clusterNodes,
  clusterShards,
  lagOfShard,
  movesUnderWay,
  orderIn,
} from '../cluster/cluster-view.ts'
import type { DurableActors } from './durable-actors.ts'

type Seen =
  | 'node'
  | 'leases'
  | 'linkPeers'
  | 'mapNow'
  | 'shardLoads'
  | 'shardOrders'
  | 'isOpen'
  | 'recentPauseMs'

type ClusterParts = Pick<DurableActors, Seen> & {
  readonly journal: Pick<DurableActors['journal'], 'readTail' | 'readPosition'>
  readonly listedUpTo: ClusterPorts['listedUpTo']
}

/** Where this node has not seen a shard move lately: what a move may take at most, as the benchmark of the cluster asks. */
const PAUSE_MS_DEFAULT = 1_000

/** What the operators' routes tell of nodes and shards, and order. */
export const composeCluster = (parts: ClusterParts): ClusterView => {
  const { node, leases, linkPeers, mapNow, shardLoads, shardOrders, isOpen, journal, listedUpTo } = parts
  const ports: ClusterPorts = {
    node,
    leases,
    linkPeers,
    isOpen,
    journal,
    listedUpTo,
    map: mapNow,
    loads: shardLoads,
    orders: shardOrders,
    publishedUpTo: (shard) => journal.readPosition(PUBLISHER, shard),
  }
  return {
    nodes: () => clusterNodes(ports),
    shards: () => clusterShards(ports),
    lagOf: (shard) => lagOfShard(ports, shard),
    moves: () => movesUnderWay(ports),
    expectedPause: () => expectedPause(parts.recentPauseMs()),
    order: (give) => orderIn(ports, give),
  }
}

const expectedPause = (measuredMs: number | null): ExpectedPause => ({
  ms: Math.ceil(measuredMs ?? PAUSE_MS_DEFAULT),
  isMeasured: measuredMs !== null,
})
