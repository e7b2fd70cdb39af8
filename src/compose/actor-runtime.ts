import { hostname } from 'node:os'
import { defaultHostLimits, type HostLimits } from '../host/host-limits.ts'
import { Host } from '../host/host.ts'
import type { AnyActorDefinition } from '../host/definition.ts'
import type { HostFault } from '../host/faults.ts'
import { type Journal, ShardHeld } from '../ports/journal.ts'
import type { NodeLease } from '../ports/lease.ts'
import type { Actors } from '../ports/actors.ts'
import { createRuntime } from '../host/runtime.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'
import { type Embedded, embeddedMembership } from '../cluster/shards.ts'
import { LeaseKeeper, leaseDefaults, type LeaseSettings } from '../cluster/lease.ts'
import { ShardKeeper, shardKeeperDefaults } from '../cluster/shards.ts'
import type { Config } from '../config/config.ts'
import { SHARD_COUNT } from '../domain/shards.ts'
import { Lifecycle } from '../lifecycle.ts'
import type { Part, PartContext } from '../parts.ts'
import type { BodyStore } from '../ports/bodies.ts'
import { engineSettings } from '../persistence/engine-settings.ts'
import { type Engine, openEngine } from '../persistence/open-engine.ts'
import { openJournal } from '../persistence/shard-log.ts'
import { type ShardLogSettings, shardLogDefaults } from '../persistence/shard-log-settings.ts'
import { openConfiguredVault } from '../persistence/vault/open-vault.ts'
import { createActorMetrics } from '../telemetry/metrics.ts'

/** Durable actors and what they stand on; everything else of the service asks them. */
export type Heart = Part & {
  readonly actors: Actors
  readonly journal: Journal
  readonly vault: Vault
  readonly bodies: BodyStore
  readonly runtime: Runtime
  /** Whether this node serves the shard now. */
  readonly isOpen: (shard: number) => boolean
  /** The name of this node, and the leases of all that are known. */
  readonly node: string
  readonly leases: () => Promise<readonly NodeLease[]>
}

/** What the wiring of a kind of actor may need of the heart itself. */
export type HeartServices = Pick<Heart, 'journal' | 'vault' | 'bodies' | 'runtime'>

export type ActorKinds = (
  services: HeartServices & { readonly actors: Actors },
) => readonly AnyActorDefinition[]

const OPEN_POLL_MS = 5
const CONFIRMED_SHARE = 0.7

export const openHeart = async (
  context: PartContext,
  kinds: ActorKinds = () => [],
  /** Those who follow the log: it keeps what they have not read. */
  followers: Partial<Pick<ShardLogSettings, 'publishedReader' | 'projectedReader'>> = {},
): Promise<Heart> => {
  const { config } = context
  const lifecycle = new Lifecycle()
  try {
    const runtime = context.runtime ?? createRuntime()
    const engine = await openEngine(engineSettings(config))
    lifecycle.add('engine', () => engine[Symbol.asyncDispose]())
    const vault = await openConfiguredVault(config, engine.cassandra, () => runtime.monotonicMs())
    lifecycle.add('vault', () => vault[Symbol.asyncDispose]())
    const membership = await joinNodes(config, engine, runtime, lifecycle)
    const { copyLagEventsMax } = config.journal
    const settings = { ...shardLogDefaults, copyLagEventsMax, ...followers }
    const journal = openJournal(engine.store, runtime, settings, membership)
    lifecycle.add('journal', () => journal[Symbol.asyncDispose]())
    const services: HeartServices = { journal, vault, bodies: engine.bodies, runtime }
    const actors = startHost(context, services, (host) => kinds({ ...services, actors: host }))
    lifecycle.add('actors', () => actors[Symbol.asyncDispose]())
    await keepShards(context, membership, actors, runtime, lifecycle)
    return {
      name: 'journal',
      ...services,
      actors,
      isOpen: (shard) => actors.isOpen(shard),
      node: nodeOf(config).node,
      // A process that has its engine to itself keeps no lease in it.
      leases: async () => engine.leases?.list() ?? membership.alive(),
      probe: async () => {
        await Promise.all([journal.probe(), vault.probe()])
        if (membership.session()?.valid() !== true) throw new Error('the lease of this node is not confirmed')
      },
      [Symbol.asyncDispose]: () => endAll(context, lifecycle),
    }
  } catch (error) {
    await endAll(context, lifecycle)
    throw error
  }
}

type Membership = LeaseKeeper | Embedded

/** A file belongs to one process, which owns every shard; nodes around one Cassandra have leases. */
const joinNodes = async (
  config: Config,
  engine: Engine,
  runtime: Runtime,
  lifecycle: Lifecycle,
): Promise<Membership> => {
  if (engine.leases === null) return embeddedMembership(nodeOf(config), runtime.newId())
  const keeper = new LeaseKeeper(engine.leases, runtime, leaseSettings(config), nodeOf(config))
  keeper.start()
  lifecycle.add('lease', () => keeper.leave())
  return keeper
}

const startHost = (
  { config, log, metrics }: PartContext,
  { journal, vault, runtime }: HeartServices,
  definitions: (actors: Actors) => readonly AnyActorDefinition[],
): Host => {
  const host: Host = new Host({
    journal,
    vault,
    runtime,
    definitions,
    limits: hostLimits(config),
    report: ({ during, actor, shard, error }: HostFault) => {
      faults.inc({ part: during })
      log('actor.failed', { part: during, actor, shard, error })
    },
    shardLost: (shard) => log('shard.lost', { shard }),
  })
  const { faults } = createActorMetrics(metrics, () => host.status())
  return host
}

/** Embedded, the service is ready when every shard is; in a cluster it serves what it has got. */
const keepShards = async (
  { config, log }: PartContext,
  membership: Membership,
  host: Host,
  runtime: Runtime,
  lifecycle: Lifecycle,
): Promise<void> => {
  const isEmbedded = !(membership instanceof LeaseKeeper)
  const failures: unknown[] = []
  const openingMax = isEmbedded ? SHARD_COUNT : shardKeeperDefaults.openingMax
  const settings = { ...shardKeeperDefaults, openingMax, shardCount: SHARD_COUNT }
  const keeper = new ShardKeeper(nodeOf(config).node, membership, host, runtime, settings, (shard, error) => {
    if (isEmbedded) failures.push(error)
    if (!(error instanceof ShardHeld)) log('shard.open_failed', { shard, error })
  })
  keeper.start()
  lifecycle.add('shards', () => keeper.stop())
  if (!isEmbedded) return
  while (host.status().shards < SHARD_COUNT) {
    if (failures.length > 0) throw new Error('a shard could not be opened', { cause: failures[0] })
    await runtime.sleep(OPEN_POLL_MS)
  }
}

const endAll = ({ log }: PartContext, lifecycle: Lifecycle): Promise<void> =>
  lifecycle.end((name, error) => log('part.stop_failed', { part: name, error }))

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
