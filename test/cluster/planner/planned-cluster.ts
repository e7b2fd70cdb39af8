import { MapView } from '../../../src/cluster/map/map-view.ts'
import { Coordinator, coordinatorDefaults } from '../../../src/cluster/planner/coordinator.ts'
import { sayMember } from '../../../src/cluster/map/own-places.ts'
import type { NodeLease } from '../../../src/ports/lease.ts'
import type { KeptPlace, KeptShardMap, NodeLoads, ShardLoad } from '../../../src/ports/shard-map.ts'
import { Random } from '../../../tools/simulate/random.ts'
import { ModelJournal } from '../../persistence/model-journal.ts'

/** What a shard costs, but for its number. */
export type Cost = Omit<ShardLoad, 'shard'>

const STEP_MS = 500
/** Of each node at once, as the nodes do it. */
const HANDED_OFF_MAX = 8
const SHARDS = 256
/** What was measured goes up and down by so much. */
const NOISE = 0.15

/**
 * The coordinator of the first node in virtual time, and nodes that follow the map without ever failing, unless a shard is
 * `stuck`. Whatever arrives at another node than it had before is counted.
 */
export class PlannedCluster {
  moves = 0
  cost: (shard: number) => Cost
  readonly stuck = new Set<number>()
  readonly view: MapView
  readonly #model = new ModelJournal()
  readonly #random: Random
  readonly #coordinator: Coordinator
  #row: KeptShardMap | null = null
  #leases: readonly NodeLease[] = []
  #lives = 0

  constructor(seed: number, cost: (shard: number) => Cost) {
    this.cost = cost
    this.#random = new Random(seed)
    const { runtime } = this.#model.process('n1')
    this.view = new MapView(
      {
        read: async () => this.#row,
        replace: async (next) => {
          if ((this.#row?.version ?? 0) !== next.version - 1) return false
          this.#row = next
          return true
        },
      },
      runtime,
    )
    const session = { owner: 'n1', ended: new AbortController().signal, valid: () => true }
    this.#coordinator = new Coordinator({
      node: 'n1',
      membership: { session: () => session, alive: () => this.#leases },
      leases: async () => this.#leases,
      map: this.view,
      loads: { read: async () => this.#told() },
      endLease: async () => false,
      heldUpOf: async () => ({ handOffMs: 0, mapMs: 0 }),
      hasEnded: () => undefined,
      runtime,
      settings: coordinatorDefaults,
      report: (error) => this.#model.world.fail(error as Error),
    })
    this.#coordinator.start()
    this.#follow()
  }

  async join(...nodes: readonly string[]): Promise<void> {
    for (const node of nodes) {
      const life = `life-${++this.#lives}`
      const lease = {
        node,
        incarnation: life,
        counter: 1,
        address: '',
        linkAddress: '',
        state: 'alive',
      } as const
      this.#leases = [...this.#leases.filter((each) => each.node !== node), lease]
      await this.view.change(sayMember({ node, life }, 'taking'))
    }
  }

  /** They stay until others have their shards. */
  async leave(...nodes: readonly string[]): Promise<void> {
    for (const { node, incarnation: life } of this.#leases)
      if (nodes.includes(node)) await this.view.change(sayMember({ node, life }, 'leaving'))
    while (this.#places().some(({ owner }) => owner !== null && nodes.includes(owner)))
      await this.pass(STEP_MS)
    this.die(...nodes)
  }

  die(...nodes: readonly string[]): void {
    this.#leases = this.#leases.filter(({ node }) => !nodes.includes(node))
  }

  pass(ms: number): Promise<void> {
    return this.#model.pass(ms)
  }

  /** How much of one measure each node has: 1 is what each would have if all had the same. */
  shares(measure: keyof Cost): Readonly<Record<string, number>> {
    const sums = new Map(this.#leases.map(({ node }) => [node, 0]))
    let total = 0
    for (const [shard, { owner }] of this.#places().entries()) {
      const cost = this.cost(shard)[measure]
      total += cost
      if (owner !== null) sums.set(owner, (sums.get(owner) ?? 0) + cost)
    }
    return Object.fromEntries([...sums].map(([node, sum]) => [node, (sum * sums.size) / total]))
  }

  shardsOf(node: string): readonly number[] {
    return this.#places().flatMap(({ owner }, shard) => (owner === node ? [shard] : []))
  }

  countOf(node: string): number {
    return this.shardsOf(node).length
  }

  /** Shards that have an owner. */
  get served(): number {
    return this.#places().filter(({ owner }) => owner !== null).length
  }

  #places(): readonly KeptPlace[] {
    return this.view.current().places
  }

  #told(): readonly NodeLoads[] {
    const noisy = (value: number): number => value * (1 + NOISE * (2 * this.#random.next() - 1))
    return this.#leases.map(({ node }) => ({
      node,
      loads: Array.from({ length: SHARDS }, (_, shard) => shard)
        .filter((shard) => this.#places()[shard]?.owner === node)
        .map((shard) => {
          const { eventsPerSecond, bytesPerSecond, residents } = this.cost(shard)
          const [events, bytes] = [noisy(eventsPerSecond), noisy(bytesPerSecond)]
          return { shard, eventsPerSecond: events, bytesPerSecond: bytes, residents }
        }),
    }))
  }

  #follow(): void {
    this.#model.world.at(STEP_MS, null, () => {
      const leaving = new Map<string | null, number>()
      let arrived = 0
      const places = this.#places().map((place, shard) => {
        const { owner, desired } = place
        const isThere = this.#leases.some(({ node }) => node === desired)
        if (owner === desired || !isThere || this.stuck.has(shard)) return place
        leaving.set(owner, (leaving.get(owner) ?? 0) + 1)
        if (owner !== null && (leaving.get(owner) ?? 0) > HANDED_OFF_MAX) return place
        if (owner !== null) this.moves++
        arrived++
        return { ...place, owner: desired, epoch: (place.epoch ?? 0) + 1 }
      })
      if (arrived > 0) {
        const seen = this.view.current()
        void this.view.change((now) => (now === seen ? { ...now, places } : null))
      }
      this.#follow()
    })
  }
}
