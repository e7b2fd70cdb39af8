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
import type { KeptShardMap, NodeLoads } from '../ports/shard-map.ts'
import { showShardActivity, showShardMap } from '../telemetry/cluster-metrics.ts'
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
  showShardActivity(context.metrics, () => host.counts())
  const byMap = cluster === null ? null : followMap(context, membership, cluster, host)
  if (byMap === null) await openAll(context, membership, host, begins)
  else begins(byMap)
  return {
    /** The newest map of shards that this node knows, and what operators can order; null where there is but one node. */
    shardMap: byMap?.map ?? null,
    shardOrders: byMap?.orders ?? null,
    /** The map as operators are to see it: read now, or of a process that has everything to itself. */
    mapNow: async (): Promise<KeptShardMap> => byMap?.map.refreshed() ?? ownMap(context, host),
    shardLoads: async (): Promise<readonly NodeLoads[]> => byMap?.loads.read() ?? [],
    /** The longest that a shard lately stood still because it moved here; null where none did. */
    recentPauseMs: () => byMap?.moves.recentPauseMs() ?? null,
    /** Whether this node is to be empty, so that requests should go to others, although it answers them. */
    isDraining: () => byMap?.isDraining() ?? false,
  }
}

const followMap = (
  { config, log, runtime, lifecycle, metrics }: ServiceContext,
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
  showShardMap(metrics, kept.status)
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

/** Every shard is its own, and has it for an owner when it is open. */
const ownMap = ({ config }: ServiceContext, host: Host): KeptShardMap => {
  const { node } = nodeOf(config)
  const map = emptyMap()
  const places = map.places.map((place, shard) => {
    return { ...place, owner: host.isOpen(shard) ? node : null, desired: node }
  })
  return { ...map, places, members: [{ node, state: 'taking' }] }
}

export const nodeOf = ({ cluster, operations }: Config): ThisNode => ({
  node: cluster.nodeName || hostname(),
  address: cluster.nodeAddress || `${hostname()}:${operations.privatePort}`,
  linkAddress: '',
})
