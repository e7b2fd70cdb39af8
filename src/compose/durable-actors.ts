import { defaultHostLimits, type HostLimits } from '../host/host-limits.ts'
import { Host } from '../host/host.ts'
import type { AnyActorDefinition } from '../host/definition.ts'
import type { ShardsToCome } from '../actors/tenant/rests.ts'
import type { Rests } from '../host/rests.ts'
import type { Actors, Removals } from '../ports/actors.ts'
import type { BodyStore } from '../ports/bodies.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'
import { embeddedMembership, type Embedded } from '../cluster/shards.ts'
import { LeaseKeeper, leaseDefaults, type LeaseSettings } from '../cluster/lease.ts'
import type { Config } from '../config/config.ts'
import { SHARD_COUNT } from '../domain/references.ts'
import { engineSettings } from '../persistence/engine-settings.ts'
import { openEngine, type Engine } from '../persistence/open-engine.ts'
import { openJournal } from '../persistence/shard-log.ts'
import { shardLogDefaults, type ShardLogSettings } from '../persistence/shard-log-settings.ts'
import { openConfiguredVault } from '../persistence/vault/open-vault.ts'
import { countActorFaults, showActorStatus } from '../telemetry/metrics.ts'
import { keepShards, nodeOf, OPEN_POLL_MS, type Kept } from './keep-shards.ts'
import type { ServiceContext } from './service-context.ts'

/** The actors of this node with what they stand on; everything else of the service asks them. */
export type DurableActors = Awaited<ReturnType<typeof openDurableActors>>

type Definitions = (ports: {
  readonly actors: Actors
  readonly removals: Removals
  readonly vault: Vault
  readonly bodies: BodyStore
}) => readonly AnyActorDefinition[]

const CONFIRMED_SHARE = 0.7

export const openDurableActors = async (
  context: ServiceContext,
  definitionsOf: Definitions,
  /** Those who follow the log: it keeps what they have not read. */
  followers: Partial<
    Pick<ShardLogSettings, 'publishedReader' | 'projectedReader' | 'removesUnpublished'>
  > = {},
  /** Records of a shard whose events are wanted still, because an operator has yet to try something again. */
  heldIn: (actors: Actors, shard: number) => Promise<ReadonlySet<string>> = nothingHeld,
  restsOf?: (actors: Actors, toCome: ShardsToCome) => Rests,
) => {
  const { config, lifecycle, runtime, log } = context
  const engine = lifecycle.use('engine', await openEngine(engineSettings(config), () => runtime.now()))
  const vault: Vault = lifecycle.use(
    'vault',
    await openConfiguredVault(config, engine, () => runtime.monotonicMs()),
  )
  const membership = joinNodes(context, engine)
  const { copyLagEventsMax } = config.journal
  const settings = { ...shardLogDefaults, copyLagEventsMax, ...followers }
  // The log asks long after the host is there.
  const heldOf = async (shard: number) => heldIn(await othersOpen(engine, host, runtime, shard), shard)
  const journal = lifecycle.use('journal', openJournal(engine.store, runtime, settings, membership, heldOf))
  const faults = countActorFaults(context.metrics)
  let kept: Kept | null = null
  const toCome: ShardsToCome = {
    isToCome: (shard) => kept?.isToCome(shard) ?? false,
    sleep: runtime.sleep.bind(runtime),
  }
  const host: Host = new Host({
    journal,
    vault,
    bodies: engine.bodies,
    runtime,
    definitions: (actors) => definitionsOf({ actors, removals: actors, vault, bodies: engine.bodies }),
    ...(restsOf && { rests: (actors: Actors) => restsOf(actors, toCome) }),
    limits: hostLimits(config),
    report: ({ during, actor, shard, error }) => {
      faults.inc({ part: during })
      log('actor.failed', { part: during, actor, shard, error })
    },
    shardLost: (shard) => log('shard.lost', { shard }),
  })
  showActorStatus(context.metrics, () => host.status())
  lifecycle.use('actors', host)
  const shards = await keepShards(context, membership, engine.cluster, host, (begun) => {
    kept = begun
  })
  const actors: Actors = host
  const removals: Removals = host
  return {
    actors,
    removals,
    journal,
    vault,
    bodies: engine.bodies,
    runtime,
    /** Whether this node serves the shard now. */
    isOpen: (shard: number) => host.isOpen(shard),
    /** The name of this node, and the leases of all that are known. */
    node: nodeOf(config).node,
    // A process that has its engine to itself keeps no lease in it.
    leases: async () => engine.cluster?.leases.list() ?? membership.alive(),
    ...shards,
    probe: async () => {
      await Promise.all([journal.probe(), vault.probe()])
      if (membership.session()?.valid() !== true) throw new Error('the lease of this node is not confirmed')
    },
  }
}

const nothingHeld = (): Promise<ReadonlySet<string>> => Promise.resolve(new Set())

const ALL_OPEN_WITHIN_MS = 5_000

/**
 * What waits for an endpoint stands on another shard, and those of a file are opened one after the other: they are waited
 * for, for as long as the shard that asks is open itself.
 */
const othersOpen = async (
  { cluster }: Pick<Engine, 'cluster'>,
  host: Host,
  runtime: Runtime,
  asking: number,
): Promise<Host> => {
  const endMs = runtime.monotonicMs() + ALL_OPEN_WITHIN_MS
  for (let shard = cluster === null ? 0 : SHARD_COUNT; shard < SHARD_COUNT; ) {
    if (host.isOpen(shard)) shard++
    else if (!host.isOpen(asking) || runtime.monotonicMs() > endMs)
      throw new Error(`shard ${shard} is not open`)
    else await runtime.sleep(OPEN_POLL_MS)
  }
  return host
}

/** A file belongs to one process, which owns every shard; nodes around one Cassandra have leases. */
const joinNodes = (
  { config, runtime, lifecycle }: ServiceContext,
  { cluster }: Engine,
): LeaseKeeper | Embedded => {
  if (cluster === null) return embeddedMembership(nodeOf(config), runtime.newId())
  const keeper = new LeaseKeeper(cluster.leases, runtime, leaseSettings(config), nodeOf(config))
  keeper.start()
  lifecycle.add('lease', () => keeper.leave())
  return keeper
}

const leaseSettings = ({ cluster }: Config): LeaseSettings => ({
  ...leaseDefaults,
  heartbeatMs: cluster.heartbeatIntervalMs,
  watchMs: Math.min(leaseDefaults.watchMs, cluster.heartbeatIntervalMs),
  deadMs: cluster.deadAfterMs,
  validMs: Math.floor(cluster.deadAfterMs * CONFIRMED_SHARE),
})

const hostLimits = ({ actors, journal, operations }: Config): HostLimits => ({
  ...defaultHostLimits,
  actorQueueMax: actors.actorQueueMax,
  shardQueueMax: actors.shardQueueMax,
  tenantSharePercent: actors.tenantSharePercent,
  residentMax: actors.residentMax,
  idleMs: actors.idleSeconds * 1_000,
  batchEntriesMax: journal.batchEntriesMax,
  batchBytesMax: journal.batchBytesMax,
  // Half of the limit for the whole stop: the journal and the engine come after.
  drainMs: Math.floor(operations.drainTimeoutMs / 2),
  askTimeoutMs: actors.askTimeoutMs,
})
