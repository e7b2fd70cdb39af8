import { defaultHostLimits, type HostLimits } from '../host/host-limits.ts'
import type { ReportFault } from '../host/faults.ts'
import { Host, type HostOptions } from '../host/host.ts'
import type { AnyActorDefinition } from '../host/definition.ts'
import type { ShardsToCome } from '../actors/tenant/rests.ts'
import type { Rests } from '../host/rests.ts'
import type { Actors, Removals } from '../ports/actors.ts'
import type { BodyStore } from '../ports/bodies.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'
import { embeddedMembership } from '../cluster/shards.ts'
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
import { keepShards, type Kept, openAll, OPEN_POLL_MS } from './keep-shards.ts'
import { amongOthers } from './among-others.ts'
import type { ServiceContext } from './service-context.ts'

/** The actors of this node with what they stand on; everything else of the service asks them. */
export type DurableActors = Awaited<ReturnType<typeof openDurableActors>>

type Definitions = (ports: {
  readonly actors: Actors
  readonly removals: Removals
  readonly vault: Vault
  readonly bodies: BodyStore
}) => readonly AnyActorDefinition[]

type Followers = Partial<Pick<ShardLogSettings, 'publishedReader' | 'projectedReader' | 'removesUnpublished'>>

/** Records of a shard whose events are wanted still, because an operator has yet to try something again. */
type HeldIn = (actors: Actors, shard: number) => Promise<ReadonlySet<string>>

/** Those who follow the log are named: it keeps what they have not read. */
export const openDurableActors = async (
  context: ServiceContext,
  definitionsOf: Definitions,
  followers: Followers = {},
  heldIn: HeldIn = nothingHeld,
  restsOf?: (actors: Actors, toCome: ShardsToCome) => Rests,
) => {
  const { config, lifecycle, runtime } = context
  const stores = await openStores(context)
  const { engine, vault, cluster, membership } = stores
  // The log asks long after the host is there.
  const heldOf = async (shard: number) => heldIn(await othersOpen(engine, host, runtime, shard), shard)
  const { copyLagEventsMax } = config.journal
  const settings = { ...shardLogDefaults, copyLagEventsMax, ...followers }
  const journal = lifecycle.use('journal', openJournal(engine.store, runtime, settings, membership, heldOf))
  const { isCopied, noteCopied } = copiedKinds()
  const everywhere = cluster && actorsOfAllNodes(context, { cluster, isCopied })
  let kept: Kept | null = null
  const keep = (begun: Kept): void => void (kept = begun)
  const toCome: ShardsToCome = {
    isToCome: (shard) => kept?.isToCome(shard) ?? false,
    sleep: runtime.sleep.bind(runtime),
  }
  const { bodies } = engine
  const definitions = (actors: Actors & Removals): readonly AnyActorDefinition[] => {
    const made = definitionsOf({ actors, removals: actors, vault, bodies })
    noteCopied(made)
    return made
  }
  const report = reportFaults(context)
  const host: Host = openHost(context, {
    report,
    journal,
    vault,
    bodies,
    definitions,
    ...(everywhere && { reach: everywhere.reach, copies: everywhere.copies }),
    ...(restsOf && { rests: (actors: Actors) => restsOf(actors, toCome) }),
    shardLost: () => kept?.look(),
  })
  if (cluster === null) await openAll(context, membership, host, keep)
  return {
    actors: host.actors as Actors,
    removals: host.actors as Removals,
    journal,
    vault,
    bodies,
    runtime,
    /** For the log and the metrics. */
    report,
    ...shardsOf(host),
    ...amongOthers(context, { ...stores, everywhere, host }),
    /**
     * To be called when everything is there that other nodes may ask for: from then on this node has a lease, and gets its
     * share of the shards. A process that is alone has all of them already.
     */
    takePart: async (): Promise<void> => {
      if (cluster === null || everywhere === null) return
      await cluster.begin()
      keep(keepShards(context, cluster, host, everywhere.served(host), everywhere.handOver))
    },
    probe: async () => {
      await Promise.all([journal.probe(), vault.probe()])
      if (membership.session()?.valid() !== true) throw new Error('the lease of this node is not confirmed')
    },
  }
}

const shardsOf = (host: Host) => ({
  /** Whether this node serves the shard now. */
  isOpen: (shard: number) => host.isOpen(shard),
  /** Calls back when it begins to serve a shard, and when it serves one no longer. */
  onShards: (listener: () => void) => host.onShards(listener),
  /** Of a shard that this node serves, the epoch of its `open` record. */
  epochOf: (shard: number) => host.epochOf(shard),
})

/** Kinds that are copied, with the views of each that are not. */
const copiedKinds = () => {
  const copied = new Map<string, readonly string[]>()
  return {
    isCopied: (actor: string, view: string): boolean => copied.get(kindOf(actor))?.includes(view) === false,
    noteCopied: (made: readonly AnyActorDefinition[]): void => {
      for (const each of made) if (each.isCopied) copied.set(each.kind, each.viewsNotCopied)
    },
  }
}

/** What the journal stands on, and the place of this process among others. */
const openStores = async (context: ServiceContext) => {
  const { config, lifecycle, runtime } = context
  const engine = lifecycle.use('engine', await openEngine(engineSettings(config), () => runtime.now()))
  const clock = (): number => runtime.monotonicMs()
  const vault: Vault = lifecycle.use('vault', await openConfiguredVault(config, engine, clock))
  const cluster = engine.cluster === null ? null : await joinCluster(context, engine.cluster)
  const membership = cluster?.lease ?? embeddedMembership(thisNode(config), runtime.newId())
  return { engine, vault, cluster, membership }
}

const reportFaults = ({ metrics, log }: ServiceContext): ReportFault => {
  const faults = countActorFaults(metrics)
  return ({ during, actor, shard, error }) => {
    faults.inc({ part: during })
    log('actor.failed', { part: during, actor, shard, error })
  }
}

const openHost = (
  { config, metrics, log, lifecycle, runtime }: ServiceContext,
  parts: Omit<HostOptions, 'runtime' | 'limits' | 'shardLost'> & { readonly shardLost: () => void },
): Host => {
  const shardLost = (shard: number): void => {
    log('shard.lost', { shard })
    parts.shardLost()
  }
  const host = new Host({ ...parts, runtime, limits: hostLimits(config), shardLost })
  showActorStatus(metrics, () => host.status())
  return lifecycle.use('actors', host)
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

/** With what comes before and after it, a shard is handed off well before its node counts as one that hangs. */
const DRAIN_MS_MAX = 35_000

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
  drainMs: Math.min(DRAIN_MS_MAX, Math.floor(operations.drainTimeoutMs / 2)),
  askTimeoutMs: actors.askTimeoutMs,
})
