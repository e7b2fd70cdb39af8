import { hostname } from 'node:os'
import { defaultHostLimits, type HostLimits } from '../host/host-limits.ts'
import { Host } from '../host/host.ts'
import type { AnyActorDefinition } from '../host/definition.ts'
import { ShardHeld } from '../ports/journal.ts'
import type { ShardsToCome } from '../actors/tenant/rests.ts'
import type { Rests } from '../host/rests.ts'
import type { Actors, Removals } from '../ports/actors.ts'
import type { BodyStore } from '../ports/bodies.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'
import { ShardKeeper, embeddedMembership, shardKeeperDefaults, type Embedded } from '../cluster/shards.ts'
import { LeaseKeeper, leaseDefaults, type LeaseSettings } from '../cluster/lease.ts'
import type { Config } from '../config/config.ts'
import { SHARD_COUNT } from '../domain/references.ts'
import { engineSettings } from '../persistence/engine-settings.ts'
import { openEngine, type Engine } from '../persistence/open-engine.ts'
import { openJournal } from '../persistence/shard-log.ts'
import { shardLogDefaults, type ShardLogSettings } from '../persistence/shard-log-settings.ts'
import { openConfiguredVault } from '../persistence/vault/open-vault.ts'
import { countActorFaults, showActorStatus } from '../telemetry/metrics.ts'
import type { ServiceContext } from './service-context.ts'

/** The actors of this node with what they stand on; everything else of the service asks them. */
export type DurableActors = Awaited<ReturnType<typeof openDurableActors>>

type Definitions = (ports: {
  readonly actors: Actors
  readonly removals: Removals
  readonly vault: Vault
  readonly bodies: BodyStore
}) => readonly AnyActorDefinition[]

const OPEN_POLL_MS = 5
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
  let keeper: ShardKeeper | null = null
  const toCome: ShardsToCome = {
    isToCome: (shard) => keeper?.isToCome(shard) ?? false,
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
  await keepShards(context, membership, host, (kept) => {
    keeper = kept
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
    epochOf: (shard: number) => host.epochOf(shard),
    /** The name of this node, and the leases of all that are known. */
    node: nodeOf(config).node,
    // A process that has its engine to itself keeps no lease in it.
    leases: async () => engine.leases?.list() ?? membership.alive(),
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
  { leases }: Pick<Engine, 'leases'>,
  host: Host,
  runtime: Runtime,
  asking: number,
): Promise<Host> => {
  const endMs = runtime.monotonicMs() + ALL_OPEN_WITHIN_MS
  for (let shard = leases === null ? 0 : SHARD_COUNT; shard < SHARD_COUNT; ) {
    if (host.isOpen(shard)) shard++
    else if (!host.isOpen(asking) || runtime.monotonicMs() > endMs)
      throw new Error(`shard ${shard} is not open`)
    else await runtime.sleep(OPEN_POLL_MS)
  }
  return host
}

type Membership = LeaseKeeper | Embedded

/** A file belongs to one process, which owns every shard; nodes around one Cassandra have leases. */
const joinNodes = ({ config, runtime, lifecycle }: ServiceContext, engine: Engine): Membership => {
  if (engine.leases === null) return embeddedMembership(nodeOf(config), runtime.newId())
  const keeper = new LeaseKeeper(engine.leases, runtime, leaseSettings(config), nodeOf(config))
  keeper.start()
  lifecycle.add('lease', () => keeper.leave())
  return keeper
}

/** Embedded, the service is ready when every shard is; in a cluster it serves what it has got. */
const keepShards = async (
  { config, log, runtime, lifecycle }: ServiceContext,
  membership: Membership,
  host: Host,
  begins: (keeper: ShardKeeper) => void,
): Promise<void> => {
  const isEmbedded = !(membership instanceof LeaseKeeper)
  const failures: unknown[] = []
  const openingMax = isEmbedded ? SHARD_COUNT : shardKeeperDefaults.openingMax
  const settings = { ...shardKeeperDefaults, openingMax, shardCount: SHARD_COUNT }
  const keeper = new ShardKeeper(nodeOf(config).node, membership, host, runtime, settings, (shard, error) => {
    if (isEmbedded) failures.push(error)
    if (!(error instanceof ShardHeld)) log('shard.open_failed', { shard, error })
  })
  begins(keeper)
  keeper.start()
  lifecycle.add('shards', () => keeper.stop())
  if (!isEmbedded) return
  while (host.status().shards < SHARD_COUNT) {
    if (failures.length > 0) throw new Error('a shard could not be opened', { cause: failures[0] })
    await runtime.sleep(OPEN_POLL_MS)
  }
}

const nodeOf = ({ cluster, operations }: Config): { readonly node: string; readonly address: string } => ({
  node: cluster.nodeName || hostname(),
  address: cluster.nodeAddress || `${hostname()}:${operations.privatePort}`,
})

const leaseSettings = ({ cluster }: Config): LeaseSettings => ({
  ...leaseDefaults,
  heartbeatMs: cluster.heartbeatIntervalMs,
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
