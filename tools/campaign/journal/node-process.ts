// One service process without its HTTP front: journal, leases, host and a test actor. Its starter kills it.
import { Host } from '../../../src/host/host.ts'
import { defaultHostLimits } from '../../../src/host/host-limits.ts'
import { soleOwner, type Ownership } from '../../../src/ports/journal.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { LeaseKeeper, leaseDefaults } from '../../../src/cluster/lease.ts'
import { ShardKeeper, shardKeeperDefaults } from '../../../src/cluster/shards.ts'
import { MapView } from '../../../src/cluster/map/map-view.ts'
import { keepByMap } from '../../../src/compose/keep-by-map.ts'
import type { Membership } from '../../../src/ports/membership.ts'
import { openEngine, type Engine } from '../../../src/persistence/open-engine.ts'
import { openJournal } from '../../../src/persistence/shard-log.ts'
import { shardLogDefaults } from '../../../src/persistence/shard-log-settings.ts'
import { counter, counters, type CounterCommand, type CounterReply } from '../../simulate/counter.ts'
import type { EngineSettings } from '../../../src/persistence/engine-settings.ts'
import { sendToStarter } from '../../harness/module-host.ts'

export type NodeSettings = {
  readonly node: string
  readonly engine: EngineSettings
  readonly shardCount: number
  /** How far its wall clock is off. */
  readonly clockOffsetMs: number
}

export type NodeEvent =
  | { readonly is: 'performed'; readonly actor: string; readonly effect: string }
  | { readonly is: 'defect'; readonly node: string; readonly text: string }

export type Asked =
  | { readonly reply: CounterReply }
  | { readonly refusal: string; readonly retryable: boolean }

/** A follower that never reads: the audit at the end needs the whole log. */
const NEVER_READS = 'audit'
const ASK_TIMEOUT_MS = 5_000
const EFFECT_MS = 20

let node = ''
let opened: { readonly host: Host; stop(): Promise<void> } | null = null

const runtime = createRuntime()

const definition: typeof counter = {
  ...counter,
  perform: async ({ id }, { actor }): Promise<CounterCommand> => {
    sendToStarter({ is: 'performed', actor, effect: id } satisfies NodeEvent)
    await runtime.sleep(runtime.random() * EFFECT_MS)
    return { is: 'settle', id }
  },
}

type Lease = { readonly ownership: Ownership; readonly membership: Membership; leave(): Promise<void> }

const joinCluster = ({ cluster }: Engine): Lease => {
  if (cluster === null) {
    const ownership = soleOwner(`${node}~${runtime.newId()}`)
    const alive = [
      { node, incarnation: '', counter: 0, address: '', linkAddress: '', state: 'alive' as const },
    ]
    const membership = { session: () => ownership.session(), alive: () => alive }
    return { ownership, membership, leave: () => Promise.resolve() }
  }
  const keeper = new LeaseKeeper(cluster.leases, runtime, leaseDefaults, {
    node,
    address: '',
  })
  keeper.start()
  return { ownership: keeper, membership: keeper, leave: () => keeper.leave() }
}

export const start = async (settings: NodeSettings): Promise<void> => {
  node = settings.node
  if (settings.clockOffsetMs !== 0) {
    const now = Date.now.bind(Date)
    Date.now = () => now() + settings.clockOffsetMs
  }
  const engine = await openEngine(settings.engine)
  const lease = joinCluster(engine)
  const journalSettings = { ...shardLogDefaults, publishedReader: NEVER_READS }
  const journal = openJournal(engine.store, runtime, journalSettings, lease.ownership)
  const host = new Host({
    journal,
    vault: null,
    runtime,
    definitions: () => [definition],
    limits: { ...defaultHostLimits, residentMax: 20, timerWindowMs: 10_000, drainMs: 3_000 },
    report: ({ during, error }) => report(during, error),
  })
  const shards = keepShards(engine, lease.membership, host, settings.shardCount)
  opened = {
    host,
    stop: async () => {
      await shards.stop()
      await host[Symbol.asyncDispose]()
      await journal[Symbol.asyncDispose]()
      await lease.leave()
      await engine[Symbol.asyncDispose]()
    },
  }
}

const NOT_AT_ALL = { handOffMs: 0, mapMs: 0 }

const keepShards = (
  { cluster: stores }: Engine,
  membership: Membership,
  host: Host,
  shardCount: number,
): { stop(): Promise<void> } => {
  const failed = (shard: number | null, error: unknown) => report(`shard ${shard ?? 'map'}`, error)
  if (stores !== null) {
    const map = new MapView(stores.map, runtime, shardCount)
    // Its nodes have no link, and nothing beside the log to tell the next owner.
    const talk = { isAwaited: async () => true, handOver: async () => undefined }
    const heldUp = { of: async () => NOT_AT_ALL, here: () => NOT_AT_ALL, sayHere: () => undefined }
    const keeping = { node, membership, stores, map, host, server: host, talk, heldUp, runtime }
    return keepByMap({ ...keeping, report: failed, hasEnded: () => undefined })
  }
  const keeping = { ...shardKeeperDefaults, intervalMs: 200, shardCount }
  const shards = new ShardKeeper(node, membership, host, runtime, keeping, failed)
  shards.start()
  return shards
}

export const stop = async (): Promise<void> => opened?.stop()

export const ask = async (actor: string, command: CounterCommand, commandId: string): Promise<Asked> => {
  const options = { commandId, timeoutMs: ASK_TIMEOUT_MS, tenant: 'campaign' }
  try {
    if (opened === null) throw new Error('the node was not started')
    return { reply: (await opened.host.ask(counters.ref(actor), command, options)) as CounterReply }
  } catch (failure) {
    const { code, message, retryable } = failure as Error & { code?: string; retryable?: boolean }
    return { refusal: code ?? message, retryable: retryable === true }
  }
}

/** An error that says of itself that it passes is expected here; every other is a defect. */
const report = (during: string, error: unknown): void => {
  if (error instanceof Error && ('retryable' in error || error.message === 'the lease is not confirmed'))
    return
  const text = error instanceof Error ? error.stack : String(error)
  sendToStarter({ is: 'defect', node, text: `${during}: ${text}` } satisfies NodeEvent)
}
