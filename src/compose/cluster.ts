import type { ClusterView } from '../ports/cluster.ts'
import { PUBLISHER } from '../stream/shard-publisher.ts'
import { type ClusterPorts, clusterNodes, clusterShards, lagOfShard } from '../cluster/cluster-view.ts'
import type { DurableActors } from './durable-actors.ts'

type ClusterParts = Pick<DurableActors, 'node' | 'leases' | 'places' | 'isOpen'> & {
  readonly journal: Pick<DurableActors['journal'], 'readTail' | 'readPosition'>
  readonly listedUpTo: ClusterPorts['listedUpTo']
}

/** What the operators' routes tell of nodes and shards. */
export const composeCluster = ({
  node,
  leases,
  places,
  isOpen,
  journal,
  listedUpTo,
}: ClusterParts): ClusterView => {
  const publishedUpTo = (shard: number) => journal.readPosition(PUBLISHER, shard)
  const ports = { node, leases, places, isOpen, journal, publishedUpTo, listedUpTo }
  return {
    nodes: () => clusterNodes(ports),
    shards: () => clusterShards(ports),
    lagOf: (shard) => lagOfShard(ports, shard),
  }
}
