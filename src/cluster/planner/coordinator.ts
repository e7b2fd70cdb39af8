import type { LeaseStore, NodeLease } from '../../ports/lease.ts'
import type { Membership } from '../../ports/membership.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ChangeableMap, KeptShardMap, ShardLoad, ShardLoadStore } from '../../ports/shard-map.ts'
import { withinBy } from '../../timing/within.ts'
import { Balancing } from './balancing.ts'
import { hungDefaults, HungNodes, type HungNodesParts } from './hung-nodes.ts'
import { LateShards } from './late-shards.ts'
import { LeaseAges } from './lease-ages.ts'
import { takersOf } from './must-move.ts'
import { nodesNamedIn, nextMap } from './next-map.ts'
import { returningDefaults } from './returning.ts'
import { evenWeights, loadsByShard, type ShardWeights, weightsOf } from './weights.ts'

export const coordinatorDefaults = {
  intervalMs: 500,
  /** After a change of the map, which often has others behind it. */
  settleMs: 100,
  loadsEveryMs: 10_000,
  attemptTimeoutMs: 2_000,
  /** So many shards are on their way at once, but for those of nodes that are gone or leave. */
  movingMax: 24,
  /** Loads change all the time; shards that were spread by them rest for so long. */
  restMs: 60_000,
  returning: returningDefaults,
  hung: hungDefaults,
}

class AnswerMissing extends Error {
  override readonly name = 'AnswerMissing'
  readonly retryable = true
}

export type CoordinatorSettings = Readonly<typeof coordinatorDefaults>

export type CoordinatorParts = {
  readonly node: string
  readonly membership: Membership
  /** Read from the store, which alone knows who is gone. */
  readonly leases: () => Promise<readonly NodeLease[]>
  readonly map: ChangeableMap
  readonly loads: Pick<ShardLoadStore, 'read'>
  readonly endLease: LeaseStore['end']
  readonly heldUpOf: HungNodesParts['heldUpOf']
  /** Called when this node has ended the lease of another one that hangs. */
  readonly hasEnded: HungNodesParts['ended']
  readonly runtime: Runtime
  readonly settings: CoordinatorSettings
  readonly report: (error: unknown) => void
}

/**
 * Gives the shards of nodes that are gone, leave or are drained to others, and spreads shards by their load. Every node
 * runs it and the first by name acts; where two think that they are it, the version of the map lets one through. Nodes
 * that hang are looked for by every node.
 */
export class Coordinator {
  readonly #parts: CoordinatorParts
  readonly #balancing: Balancing
  readonly #leaseAges = new LeaseAges()
  readonly #lateShards = new LateShards()
  readonly #hungNodes: HungNodes
  readonly #stop = new AbortController()
  #wake = new AbortController()
  #weights: ShardWeights = evenWeights(0)
  #loads: ReadonlyMap<number, ShardLoad> = new Map()
  #weighedAtMs = Number.NEGATIVE_INFINITY
  #running: Promise<void> = Promise.resolve()
  #looking: Promise<void> = Promise.resolve()

  constructor(parts: CoordinatorParts) {
    this.#parts = parts
    this.#balancing = new Balancing(parts.settings)
    this.#hungNodes = new HungNodes({
      ...parts,
      leases: () => this.#limited(parts.leases()),
      endLease: (row) => this.#limited(parts.endLease(row)),
      ended: parts.hasEnded,
      settings: parts.settings.hung,
    })
  }

  start(): void {
    this.#running = this.#run()
  }

  /** By how much it is worth to have this shard open sooner than another. */
  weightOf(shard: number): number {
    return this.#weights.all[shard] ?? 1
  }

  async stop(): Promise<void> {
    this.#stop.abort(new Error('shards are no longer assigned'))
    this.#wake.abort(this.#stop.signal.reason)
    await this.#running
    await this.#looking
  }

  async #run(): Promise<void> {
    const { runtime, settings, report, map } = this.#parts
    const forget = map.onChange(() => this.#wake.abort(CHANGED))
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController()
      await this.#step().catch(report)
      await runtime.sleep(settings.intervalMs, this.#wake.signal).catch(() => {})
      await runtime.sleep(settings.settleMs, this.#stop.signal).catch(() => {})
    }
    forget()
  }

  async #step(): Promise<void> {
    const { membership, map, runtime } = this.#parts
    const nowMs = runtime.monotonicMs()
    const living = namesOf(membership.alive())
    this.#leaseAges.look(membership.alive(), nowMs)
    const late = this.#lateShards.look(map.current(), nowMs)
    if (membership.session()?.valid() !== true) return
    // Nobody's answer is waited for: shards of nodes that are gone are given to others meanwhile.
    this.#looking = this.#hungNodes.look()
    const weights = await this.#weigh(map.current())
    if (!this.#isFirst(living)) return
    const seen = map.current()
    const alive = await this.#confirmed(seen, living)
    if (membership.session()?.valid() !== true) return
    const { movingMax, returning } = this.#parts.settings
    const leases = { settings: returning, ageMs: (node: string) => this.#leaseAges.ageMs(node, nowMs) }
    const context = { alive, weights: weights.all, movingMax, late, leases }
    const next = nextMap(seen, context, (settled, takers) =>
      this.#balancing.moves(settled, takers, weights, runtime.monotonicMs(), late),
    )
    // Who is alive was asked for this version: of a newer one it would be yesterday's news.
    if (next !== null) await map.change((now) => (now.version === seen.version ? next : null))
  }

  #isFirst(living: ReadonlySet<string>): boolean {
    const { node, map } = this.#parts
    const taking = takersOf(map.current(), living)
    const [first] = taking.length > 0 ? taking : [...living].toSorted()
    return first === node
  }

  /** Before anything is taken from a node that looks gone, the store is asked. */
  async #confirmed(seen: KeptShardMap, living: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    if ([...nodesNamedIn(seen)].every((node) => living.has(node))) return living
    return namesOf(await this.#limited(this.#parts.leases()))
  }

  #limited<Answer>(call: Promise<Answer>): Promise<Answer> {
    const { runtime, settings } = this.#parts
    return withinBy(runtime, settings.attemptTimeoutMs, call, () => {
      throw new AnswerMissing('the store did not answer in time')
    })
  }

  async #weigh(seen: KeptShardMap): Promise<ShardWeights> {
    const { loads, runtime, settings, report } = this.#parts
    const nowMs = runtime.monotonicMs()
    const isKnown = this.#weights.all.length === seen.places.length
    // While shards move towards a goal the goal stays where it is.
    if (isKnown && (this.#balancing.isUnderWay || nowMs - this.#weighedAtMs < settings.loadsEveryMs))
      return this.#weights
    this.#weighedAtMs = nowMs
    // Where the store does not say, what was known before, or the mere number, is better than nothing.
    const told = await this.#limited(loads.read()).catch((error: unknown) => {
      report(error)
      return []
    })
    this.#loads = loadsByShard(seen, told, this.#loads)
    this.#weights = weightsOf(seen.places.length, this.#loads)
    return this.#weights
  }
}

const namesOf = (leases: readonly NodeLease[]): ReadonlySet<string> =>
  new Set(leases.filter(({ state }) => state === 'alive').map(({ node }) => node))

/** Created once: without a reason every change would create an error with its stack. */
const CHANGED = new Error('the map has changed')
