import type { Effect } from '../../src/domain/decider.ts'
import type { EffectContext } from '../../src/host/definition.ts'
import { Host } from '../../src/host/host.ts'
import { defaultHostLimits } from '../../src/host/host-limits.ts'
import type { Journal, LeaseSession, Ownership } from '../../src/ports/journal.ts'
import type { LeaseStore } from '../../src/ports/lease.ts'
import type { ShardOrders } from '../../src/ports/shard-orders.ts'
import { LeaseKeeper, leaseDefaults } from '../../src/cluster/lease.ts'
import { ShardKeeper } from '../../src/cluster/shards.ts'
import { openJournal } from '../../src/persistence/shard-log.ts'
import type { ShardLogSettings } from '../../src/persistence/shard-log-settings.ts'
import { counter, type CounterCommand } from './counter.ts'
import type { FactsNetwork } from './facts-link.ts'
import { instead } from './instead.ts'
import type { Hangs } from './map/hangs.ts'
import type { MapMistake } from './map/map-variants.ts'
import type { ModelMap } from './map/model-map.ts'
import { type LetsGo, startByMap } from './map/node-by-map.ts'
import type { ModelStore } from './model-store.ts'
import type { Network } from './network.ts'
import type { Outside } from './outside.ts'
import { followLog } from './publisher.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import { staticMap } from './static-map.ts'
import { journalStoreFor, type ModelLeases } from './store-clients.ts'
import type { Variant } from './variants.ts'
import type { World } from './world.ts'

export type ClusterParts = {
  readonly world: World
  readonly model: ModelStore
  readonly leases: ModelLeases
  readonly network: Network
  readonly outside: Outside
  readonly shardCount: number
  readonly journalSettings: ShardLogSettings
  readonly variant: Variant
  /** Null: shards go by a fixed rule. */
  readonly map: {
    readonly model: ModelMap
    readonly mistake: MapMistake
    readonly links: FactsNetwork
    readonly letsGo: LetsGo
    readonly hangs: Hangs
  } | null
}

/** The production parts of one process, put together as the service does it. */
export class ClusterNode {
  readonly process: SimulatedProcess
  readonly host: Host
  readonly #parts: ClusterParts
  readonly #lease: LeaseKeeper
  readonly #leases: LeaseStore
  #shards: { stop(): Promise<void> } | null = null
  #orders: ShardOrders | null = null
  readonly #journal: Journal & AsyncDisposable
  readonly #stop = new AbortController()

  constructor(parts: ClusterParts, process: SimulatedProcess) {
    const { world, model, network, outside, variant } = parts
    const { runtime } = process
    this.#parts = parts
    this.process = process
    const leases = parts.leases.storeFor(process, network)
    this.#leases = leases
    const node = { node: this.name, address: '', linkAddress: '' }
    const leaseTime = instead(runtime, variant.leaseTime?.(runtime))
    this.#lease = new LeaseKeeper(leases, leaseTime, { ...leaseDefaults, ...variant.lease }, node)
    const plain = journalStoreFor(process, network, model)
    this.#journal = openJournal(
      instead(plain, variant.store?.(plain)),
      runtime,
      { ...parts.journalSettings, ...variant.settings },
      instead<Ownership>(this.#lease, variant.ownership),
    )
    this.host = new Host({
      journal: journalOf(variant, this.#journal),
      vault: null,
      runtime: instead(runtime, variant.hostTime?.(runtime)),
      definitions: () => [
        { ...counter, perform: ({ id }: Effect, { actor }: EffectContext) => this.#perform(actor, id) },
      ],
      limits: limitsFor(world),
      report: ({ during, error }) => outside.reported(process, during, error),
    })
  }

  start(): void {
    const { outside, shardCount } = this.#parts
    this.#lease.start()
    this.#keepShards()
    const serves = (shard: number) => this.host.isOpen(shard)
    const source = { journal: this.#journal, process: this.process, outside, serves }
    for (let shard = 0; shard < shardCount; shard++) void followLog(source, shard, this.#stop.signal)
  }

  get name(): string {
    return nodeOf(this.process.name)
  }

  /** Bound, because operators hold it. */
  readonly orders = (): ShardOrders | null => this.#orders

  /** Bound, because askers hold it. */
  readonly owner = (): string | null => this.#lease.session()?.owner ?? null

  get session(): LeaseSession | null {
    return this.#lease.session()
  }

  get leaving(): boolean {
    return this.#stop.signal.aborted
  }

  /** Stops all parts in good order; the caller lets the process end afterwards. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('stopped'))
    await this.#shards?.stop()
    if (this.#parts.map?.mistake.leavesAtOnce === true) await this.#lease.leave()
    await this.host[Symbol.asyncDispose]()
    await this.#journal[Symbol.asyncDispose]()
    await this.#lease.leave()
  }

  #keepShards(): void {
    const { shardCount, outside, map, network } = this.#parts
    const { process, name: node, host } = this
    const report = (shard: number | null, error: unknown) =>
      outside.reported(process, `shard ${shard ?? 'map'}`, error)
    if (map === null) {
      const keeping = { shardCount, intervalMs: 700, settledMs: 0, openingMax: 8 }
      const isOurs = staticMap(node, this.#lease)
      const keeper = new ShardKeeper(node, this.#lease, host, process.runtime, keeping, report, isOurs)
      keeper.start()
      this.#shards = keeper
      return
    }
    const shared = {
      node,
      process,
      network,
      ...map,
      shardCount,
      membership: this.#lease,
      leases: this.#leases,
    }
    const started = startByMap({ ...shared, host, report })
    this.#shards = started
    this.#orders = started.orders
  }

  async #perform(actor: string, id: string): Promise<CounterCommand> {
    const { world, outside } = this.#parts
    if (!this.process.acts()) return new Promise(() => {})
    outside.performed(this.process, actor, id)
    await this.process.runtime.sleep(world.random.next() * 400)
    if (world.random.chance(0.2)) throw new Error('the effect fails')
    return { is: 'settle', id }
  }
}

const journalOf = ({ shard: mistake }: Variant, journal: Journal): Journal => {
  if (mistake === undefined) return journal
  const open: Journal['open'] = async (number) => {
    const shard = await journal.open(number)
    return instead(shard, mistake(shard))
  }
  return instead(journal, { open })
}

const nodeOf = (process: string): string => process.slice(0, process.indexOf('.'))

const limitsFor = ({ random }: World) => ({
  ...defaultHostLimits,
  batchEntriesMax: random.pick([1, 2, 8]),
  residentMax: random.pick([1, 2, 100]),
  idleMs: 5_000,
  timerWindowMs: random.pick([4_000, 600_000]),
  timersLoadedMax: random.pick([2, 1_000]),
  drainMs: 2_000,
})
