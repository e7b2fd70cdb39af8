import { onceAMinute } from '../cluster/link/once-a-minute.ts'
import type { HandOffTalk } from '../cluster/map/keeper-parts.ts'
import { emptyMap } from '../cluster/map/map-view.ts'
import { ShardKeeper, shardKeeperDefaults } from '../cluster/shards.ts'
import { SHARD_COUNT } from '../domain/references.ts'
import type { Host } from '../host/host.ts'
import { ShardHeld } from '../ports/journal.ts'
import type { Membership, ShardServer } from '../ports/membership.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { KeptShardMap } from '../ports/shard-map.ts'
import type { Log } from '../telemetry/logger.ts'
import { type ClusterNode, thisNode } from './join-cluster.ts'
import { keepByMap } from './keep-by-map.ts'
import type { ServiceContext } from './service-context.ts'

export const OPEN_POLL_MS = 5
/** Of the time for the whole stop: until then other nodes take the shards of one that stops. */
const LEAVING_SHARE = 0.6
/** Whoever is silent because it is out of reach is gone by then, or has found that the other one is. */
const SILENT_LONGER_MS = 5_000

export type Kept = {
  readonly isToCome: (shard: number) => boolean
  /** A shard was lost: whether it is to be opened again is seen now. */
  readonly look: () => void
}

/** An embedded service loses a shard only by a failure, which the keeper is told of. */
const SETTLED_MS = 10_000

/** In a cluster a node serves what the map gives to it. */
export const keepShards = (
  { config, log, runtime, lifecycle }: ServiceContext,
  { self: node, lease: membership, stores, map, isAwaited, heldUp, outOfTouchMs }: ClusterNode,
  host: Host,
  server: ShardServer,
  handOver: HandOffTalk['handOver'],
): Kept => {
  const settings = { leaveMs: Math.floor(config.operations.drainTimeoutMs * LEAVING_SHARE) }
  const talk = { isAwaited, handOver }
  const report = reportOfShards(log, runtime)
  const hasEnded = (hung: string): void => log('node.lease_ended', { node: hung })
  const hung = { silentMs: outOfTouchMs + SILENT_LONGER_MS }
  const keeping = { node, membership, stores, map, host, server, talk, heldUp, runtime, settings, hung }
  const kept = keepByMap({ ...keeping, report, hasEnded })
  lifecycle.add('shards', () => kept.stop())
  return kept
}

/** What goes wrong with a shard, or with the map, goes wrong again at every look until it is mended. */
export const reportOfShards = (log: Log, runtime: Pick<Runtime, 'monotonicMs'>) => {
  const timesToTell = onceAMinute(() => runtime.monotonicMs())
  return (shard: number | null, error: unknown): void => {
    if (error instanceof ShardHeld) return
    const count = timesToTell(shard === null ? 'map' : `shard ${shard}`)
    if (count === null) return
    if (shard === null) log('map.failed', { count, error })
    else log('shard.open_failed', { shard, count, error })
  }
}

/** Embedded, the service is ready when every shard is. */
export const openAll = async (
  { config, log, runtime, lifecycle }: ServiceContext,
  membership: Membership,
  host: Host,
  begins: (kept: Kept) => void,
): Promise<void> => {
  const failures: unknown[] = []
  const settings = {
    ...shardKeeperDefaults,
    settledMs: SETTLED_MS,
    openingMax: SHARD_COUNT,
    shardCount: SHARD_COUNT,
  }
  const keeper = new ShardKeeper(
    thisNode(config).node,
    membership,
    host,
    runtime,
    settings,
    (shard, error) => {
      failures.push(error)
      if (!(error instanceof ShardHeld)) log('shard.open_failed', { shard, error })
    },
  )
  begins(keeper)
  keeper.start()
  lifecycle.add('shards', () => keeper.stop())
  while (host.status().shards < SHARD_COUNT) {
    if (failures.length > 0) throw new Error('a shard could not be opened', { cause: failures[0] })
    await runtime.sleep(OPEN_POLL_MS)
  }
}

/** The map as a process has it that has everything to itself: every shard has it for an owner when it is open. */
export const ownMap = ({ config }: ServiceContext, host: Host): KeptShardMap => {
  const { node } = thisNode(config)
  const map = emptyMap()
  const places = map.places.map((place, shard) => {
    return { ...place, owner: host.isOpen(shard) ? node : null, desired: node }
  })
  return { ...map, places, members: [{ node, state: 'taking' }] }
}
