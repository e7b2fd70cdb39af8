// One node of a cluster without its HTTP front, which says ten times a second which shards have just answered.
import { LeaseKeeper, leaseDefaults } from '../../src/cluster/lease.ts'
import { MapView } from '../../src/cluster/map/map-view.ts'
import type { HungSettings } from '../../src/cluster/planner/hung-nodes.ts'
import { withDesired } from '../../src/cluster/planner/next-map.ts'
import { keepByMap } from '../../src/compose/keep-by-map.ts'
import { SHARD_COUNT, actorId } from '../../src/domain/references.ts'
import { defaultHostLimits } from '../../src/host/host-limits.ts'
import { Host } from '../../src/host/host.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import type { CassandraSettings } from '../../src/persistence/engine-settings.ts'
import { openEngine } from '../../src/persistence/open-engine.ts'
import { shardLogDefaults } from '../../src/persistence/shard-log-settings.ts'
import { openJournal } from '../../src/persistence/shard-log.ts'
import type { ShardServer } from '../../src/ports/membership.ts'
import type { KeptShardMap } from '../../src/ports/shard-map.ts'
import { sendToStarter } from '../../tools/harness/module-host.ts'
import { counter, counters, type CounterReply } from '../../tools/simulate/counter.ts'

export type Served = {
  readonly node: string
  readonly atMs: number
  /** Shard, and when it answered first and last since the message before. */
  readonly shards: readonly (readonly [number, number, number])[]
}

const ASK_EVERY_MS = 20
const TELL_EVERY_MS = 100
const LOAD_EVERY_MS = 50
const NOT_AT_ALL = { handOffMs: 0, mapMs: 0 }

const runtime = createRuntime()
const refOf = (shard: number) => counters.ref(actorId('cnt', shard, '00000000'))
let running: { readonly host: Host; readonly view: MapView; stop(): Promise<void> } | null = null
let moved = 0
let hangs = false

/** `hung`: when others end the lease of a node that lets go of nothing; nodes without links say nothing about that. */
export const start = async (
  node: string,
  cassandra: CassandraSettings,
  hung: Partial<HungSettings> | null = null,
): Promise<void> => {
  const engine = await openEngine({ engine: 'cassandra', cassandra })
  const stores = engine.cluster
  if (stores === null) throw new Error('there are no nodes around a file')
  const membership = new LeaseKeeper(stores.leases, runtime, leaseDefaults, {
    node,
    address: '',
  })
  membership.start()
  const journal = openJournal(engine.store, runtime, shardLogDefaults, membership)
  const host = new Host({
    journal,
    vault: null,
    runtime,
    definitions: () => [counter],
    limits: { ...defaultHostLimits, drainMs: 3_000 },
    report: () => undefined,
  })
  const view = new MapView(stores.map, runtime)
  const server: ShardServer = {
    open: (...given) => host.open(...given),
    catchUp: (shard) => host.catchUp(shard),
    close: (shard) => (hangs ? new Promise(() => {}) : host.close(shard)),
    isOpen: (shard) => host.isOpen(shard),
  }
  const kept = keepByMap({
    node,
    membership,
    stores,
    map: view,
    host,
    server,
    talk: { isAwaited: async () => true, handOver: async () => undefined },
    heldUp: {
      of: async () => (hung === null ? NOT_AT_ALL : null),
      here: () => NOT_AT_ALL,
      sayHere: () => undefined,
    },
    runtime,
    hung: hung ?? {},
    report: () => undefined,
    hasEnded: () => undefined,
  })
  const watching = watch(node, host)
  countMoves(view)
  running = {
    host,
    view,
    stop: async () => {
      await kept.stop()
      clearInterval(watching)
      clearInterval(loading)
      await host[Symbol.asyncDispose]()
      await journal[Symbol.asyncDispose]()
      await membership.leave()
      await engine[Symbol.asyncDispose]()
    },
  }
}

export const stop = async (): Promise<void> => running?.stop()

export const map = async (): Promise<KeptShardMap | null> => running?.view.current() ?? null

/** From here on it lets go of nothing, or it does again what begins anew; it serves and renews its lease as before. */
export const hang = async (isHanging: boolean): Promise<void> => {
  hangs = isHanging
}

/** As an operator's order. */
export const move = async (shard: number, to: string): Promise<void> => {
  await running?.view.change((now) =>
    now.places[shard]?.desired === to ? null : withDesired(now, [{ shard, to }]),
  )
}

/** Shards that have come to another node than they were at, in all maps that this node has seen. */
export const moves = async (): Promise<number> => moved

const countMoves = (view: MapView): void => {
  const owners = new Map<number, string>()
  view.onChange(({ places }) => {
    for (const [shard, { owner }] of places.entries()) {
      const before = owners.get(shard)
      if (owner === null || owner === before) continue
      owners.set(shard, owner)
      if (before !== undefined) moved++
    }
  })
}

/** So many events a second of each shard from now on, for as long as this node serves it; by number of shard. */
export const load = async (perSecond: readonly number[]): Promise<void> => {
  clearInterval(loading)
  const owed = perSecond.map(() => 0)
  loading = setInterval(() => {
    for (const [shard, rate] of perSecond.entries()) {
      owed[shard] =
        running?.host.isOpen(shard) === true ? (owed[shard] ?? 0) + (rate * LOAD_EVERY_MS) / 1_000 : 0
      for (; (owed[shard] ?? 0) >= 1; owed[shard] = (owed[shard] ?? 0) - 1)
        void addOne(shard).catch(() => undefined)
    }
  }, LOAD_EVERY_MS)
}
let loading: NodeJS.Timeout | undefined

export const openShards = async (): Promise<number> => running?.host.status().shards ?? 0

/** Something that is there to be read. */
export const add = (shard: number): Promise<CounterReply> => addOne(shard, `first-${shard}`)

const addOne = async (shard: number, commandId = runtime.newId()): Promise<CounterReply> => {
  if (running === null) throw new Error('the node was not started')
  const command = { is: 'add', amount: 1, owe: null, timer: null } as const
  const options = { commandId, timeoutMs: 30_000, tenant: null }
  return running.host.ask(refOf(shard), command, options) as Promise<CounterReply>
}

const watch = (node: string, host: Host): NodeJS.Timeout => {
  const asked = new Set<number>()
  const answered = new Map<number, readonly [number, number, number]>()
  let toldMs = Date.now()
  return setInterval(() => {
    for (let shard = 0; shard < SHARD_COUNT; shard++) {
      if (!host.isOpen(shard) || asked.has(shard)) continue
      asked.add(shard)
      void Promise.resolve(host.read(refOf(shard)))
        .then(
          () => answered.set(shard, [shard, answered.get(shard)?.[1] ?? Date.now(), Date.now()]),
          () => undefined,
        )
        .then(() => asked.delete(shard))
    }
    if (Date.now() - toldMs < TELL_EVERY_MS) return
    toldMs = Date.now()
    sendToStarter({ node, atMs: toldMs, shards: [...answered.values()] } satisfies Served)
    answered.clear()
  }, ASK_EVERY_MS)
}
