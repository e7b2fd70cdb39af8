import type { KeptShardMap } from '../../ports/shard-map.ts'
import { carriedBy } from './carried.ts'
import type { ShardWeights } from './weights.ts'

/** What a shard, or a node with all of its shards, carries by both weights. */
export type Burden = { readonly all: number; readonly traffic: number }

/**
 * A node is as full as the worse of both says, and traffic counts nearly as much as everything together: a hot shard takes
 * a node's part of the traffic with few records, so by all of its weight the node would still have room for others.
 */
const TRAFFIC_COUNTS = 0.9

export const plus = (one: Burden, other: Burden): Burden => ({
  all: one.all + other.all,
  traffic: one.traffic + other.traffic,
})

export const minus = (one: Burden, other: Burden): Burden => ({
  all: one.all - other.all,
  traffic: one.traffic - other.traffic,
})

/** What all nodes carry, and how full each of them is by it: 1 is the mean. */
export class Burdens {
  readonly #carried: Map<string, Burden>
  readonly #mean: Burden

  constructor(nodes: readonly string[], map: KeptShardMap, weights: ShardWeights) {
    const traffic = carriedBy(nodes, map, weights.traffic)
    const all = carriedBy(nodes, map, weights.all)
    this.#carried = new Map(
      nodes.map((node) => [node, { all: all.get(node) ?? 0, traffic: traffic.get(node) ?? 0 }]),
    )
    const sum = [...this.#carried.values()].reduce(plus, { all: 0, traffic: 0 })
    this.#mean = { all: sum.all / nodes.length, traffic: sum.traffic / nodes.length }
  }

  of(node: string): Burden {
    return this.#carried.get(node) ?? { all: 0, traffic: 0 }
  }

  move(shard: Burden, from: string, to: string): void {
    this.#carried.set(from, minus(this.of(from), shard)).set(to, plus(this.of(to), shard))
  }

  /** How full a node is that carries this; where nothing is carried at all, every node is as full as the mean. */
  fullness({ all, traffic }: Burden): number {
    const part = (carried: number, mean: number): number => (mean === 0 ? 1 : carried / mean)
    return Math.max(part(all, this.#mean.all), part(traffic, this.#mean.traffic) * TRAFFIC_COUNTS)
  }

  fullnesses(): ReadonlyMap<string, number> {
    return new Map([...this.#carried].map(([node, burden]) => [node, this.fullness(burden)]))
  }
}
