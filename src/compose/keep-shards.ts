import { hostname } from 'node:os'
import type { ThisNode } from '../cluster/lease.ts'
import { emptyMap } from '../cluster/map/map-view.ts'
import { ShardKeeper, shardKeeperDefaults } from '../cluster/shards.ts'
import type { Config } from '../config/config.ts'
import { SHARD_COUNT } from '../domain/references.ts'
import type { Host } from '../host/host.ts'
import type { ClusterStores } from '../persistence/open-engine.ts'
import { ShardHeld } from '../ports/journal.ts'
import type { Membership } from '../ports/membership.ts'
import type { ShardPlace } from '../ports/shard-map.ts'
import { keepByMap, type KeptByMap } from './keep-by-map.ts'
import type { ServiceContext } from './service-context.ts'

export const OPEN_POLL_MS = 5
/** Of the time for the whole stop: until then other nodes take the shards of one that stops. */
const LEAVING_SHARE = 0.6

export type Kept = { readonly isToCome: (shard: number) => boolean }

/**
 * Embedded, the service is ready when every shard is; in a cluster it serves what it has got. What comes of it is for
 * those who ask for shards and those who order them about.
 */
export const keepShards = async (
  context: ServiceContext,
  membership: Membership,
  cluster: ClusterStores | null,
  host: Host,
  begins: (kept: Kept) => void,
) => {
  const byMap = cluster === null ? null : followMap(context, membership, cluster, host)
  if (byMap === null) await openAll(context, membership, host, begins)
  else begins(byMap)
  return {
    /** The newest map of shards that this node knows, and what operators can order; null where there is but one node. */
    shardMap: byMap?.map ?? null,
    shardOrders: byMap?.orders ?? null,
    /** The map as operators are to see it: read now, or of a process that has everything to itself. */
    places: async () => (byMap === null ? ownPlaces(context, host) : (await byMap.map.refreshed()).places),
  }
}

const followMap = (
  { config, log, runtime, lifecycle }: ServiceContext,
  membership: Membership,
  stores: ClusterStores,
  host: Host,
): KeptByMap => {
  const kept = keepByMap({
    node: nodeOf(config).node,
    membership,
    stores,
    host,
    runtime,
    shardCount: SHARD_COUNT,
    settings: { leaveMs: Math.floor(config.operations.drainTimeoutMs * LEAVING_SHARE) },
    report: (shard, error) => {
      if (shard === null) log('map.failed', { error })
      else if (!(error instanceof ShardHeld)) log('shard.open_failed', { shard, error })
    },
  })
  lifecycle.add('shards', () => kept.stop())
  return kept
}

const openAll = async (
  { config, log, runtime, lifecycle }: ServiceContext,
  membership: Membership,
  host: Host,
  begins: (kept: Kept) => void,
): Promise<void> => {
  const failures: unknown[] = []
  const settings = { ...shardKeeperDefaults, openingMax: SHARD_COUNT, shardCount: SHARD_COUNT }
  const keeper = new ShardKeeper(nodeOf(config).node, membership, host, runtime, settings, (shard, error) => {
    failures.push(error)
    if (!(error instanceof ShardHeld)) log('shard.open_failed', { shard, error })
  })
  begins(keeper)
  keeper.start()
  lifecycle.add('shards', () => keeper.stop())
  while (host.status().shards < SHARD_COUNT) {
    if (failures.length > 0) throw new Error('a shard could not be opened', { cause: failures[0] })
    await runtime.sleep(OPEN_POLL_MS)
  }
}

const ownPlaces = ({ config }: ServiceContext, host: Host): readonly ShardPlace[] => {
  const { node } = nodeOf(config)
  return emptyMap().places.map((place, shard) => {
    return { ...place, owner: host.isOpen(shard) ? node : null, desired: node }
  })
}

export const nodeOf = ({ cluster, operations }: Config): ThisNode => ({
  node: cluster.nodeName || hostname(),
  address: cluster.nodeAddress || `${hostname()}:${operations.privatePort}`,
  linkAddress: '',
})
