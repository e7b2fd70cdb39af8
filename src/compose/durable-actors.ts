import { defaultHostLimits, type HostLimits } from '../host/host-limits.ts'
import { Host } from '../host/host.ts'
import type { AnyActorDefinition } from '../host/definition.ts'
import type { ShardsToCome } from '../actors/tenant/rests.ts'
import type { Rests } from '../host/rests.ts'
import type { Actors, Removals } from '../ports/actors.ts'
import type { BodyStore } from '../ports/bodies.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'
import { everyNode, onlyNode } from '../cluster/everywhere/every-node.ts'
import { embeddedMembership } from '../cluster/shards.ts'
import { shardOrders } from '../cluster/planner/orders.ts'
import type { Config } from '../config/config.ts'
import { kindOf, SHARD_COUNT } from '../domain/references.ts'
import { engineSettings } from '../persistence/engine-settings.ts'
import { openEngine, type Engine } from '../persistence/open-engine.ts'
import { openJournal } from '../persistence/shard-log.ts'
import { shardLogDefaults, type ShardLogSettings } from '../persistence/shard-log-settings.ts'
import { openConfiguredVault } from '../persistence/vault/open-vault.ts'
import { countActorFaults, showActorStatus } from '../telemetry/metrics.ts'
import { actorsOfAllNodes } from './actors-of-all-nodes.ts'
import { joinCluster, thisNode } from './join-cluster.ts'
import { keepShards, type Kept, openAll, OPEN_POLL_MS, ownPlaces } from './keep-shards.ts'
import type { ServiceContext } from './service-context.ts'

/** The actors of this node with what they stand on; everything else of the service asks them. */
export type DurableActors = Awaited<ReturnType<typeof openDurableActors>>

type Definitions = (ports: {
  readonly actors: Actors
  readonly removals: Removals
  readonly vault: Vault
  readonly bodies: BodyStore
}) => readonly AnyActorDefinition[]

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
  const cluster = engine.cluster === null ? null : await joinCluster(context, engine.cluster)
  const membership = cluster?.lease ?? embeddedMembership(thisNode(config), runtime.newId())
  const { copyLagEventsMax } = config.journal
  const settings = { ...shardLogDefaults, copyLagEventsMax, ...followers }
  // The log asks long after the host is there.
  const heldOf = async (shard: number) => heldIn(await othersOpen(engine, host, runtime, shard), shard)
  const journal = lifecycle.use('journal', openJournal(engine.store, runtime, settings, membership, heldOf))
  const faults = countActorFaults(context.metrics)
  const copied = new Set<string>()
  const isCopied = (actor: string): boolean => copied.has(kindOf(actor))
  const everywhere = cluster && actorsOfAllNodes(context, { cluster, isCopied })
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
    ...(everywhere && { reach: everywhere.reach, copies: everywhere.copies }),
    definitions: (actors) => {
      const made = definitionsOf({ actors, removals: actors, vault, bodies: engine.bodies })
      for (const definition of made) if (definition.isCopied) copied.add(definition.kind)
      return made
    },
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
  if (cluster === null)
    await openAll(context, membership, host, (begun) => {
      kept = begun
    })
  const actors: Actors = host.actors
  const removals: Removals = host.actors
  return {
    actors,
    removals,
    journal,
    vault,
    bodies: engine.bodies,
    runtime,
    /** Whether this node serves the shard now. */
    isOpen: (shard: number) => host.isOpen(shard),
    /** Of a shard that this node serves, the epoch of its `open` record. */
    epochOf: (shard: number) => host.epochOf(shard),
    /** The name of this node, and the leases of all that are known. */
    node: thisNode(config).node,
    // A process that has its engine to itself keeps no lease in it.
    leases: async () => cluster?.stores.leases.list() ?? membership.alive(),
    /** The other nodes; null where this is the only one there can be. */
    cluster,
    /**
     * To be called when everything is there that other nodes may ask for: from then on this node has a lease, and gets its
     * share of the shards. A process that is alone has all of them already.
     */
    takePart: async (): Promise<void> => {
      if (cluster === null || everywhere === null) return
      await cluster.begin()
      kept = keepShards(context, cluster, host, everywhere.served(host))
    },
    /** For what has to be done on every node before somebody is answered. */
    everyNode: cluster === null ? onlyNode : everyNode(cluster),
    /** What operators can order; null where there is but one node. */
    shardOrders:
      cluster &&
      shardOrders({
        map: cluster.map,
        leases: () => cluster.stores.leases.list(),
        loads: cluster.stores.loads,
      }),
    /** The map as operators are to see it: read now, or of a process that has everything to itself. */
    places: async () =>
      cluster === null ? ownPlaces(context, host) : (await cluster.map.refreshed()).places,
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
): Promise<Actors> => {
  const endMs = runtime.monotonicMs() + ALL_OPEN_WITHIN_MS
  for (let shard = cluster === null ? 0 : SHARD_COUNT; shard < SHARD_COUNT; ) {
    if (host.isOpen(shard)) shard++
    else if (!host.isOpen(asking) || runtime.monotonicMs() > endMs)
      throw new Error(`shard ${shard} is not open`)
    else await runtime.sleep(OPEN_POLL_MS)
  }
  return host.actors
}

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
