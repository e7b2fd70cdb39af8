import type { KeptShardMap } from '../../ports/shard-map.ts'
import type { ShardMove } from '../../ports/shard-orders.ts'
import { type Burden, Burdens, minus, plus } from './burden.ts'
import { leastCarrying, mostCarrying } from './carried.ts'
import type { ShardWeights } from './weights.ts'

/**
 * A move after which the other one carries more is worth its pause only where the two were this many weights of the shard
 * apart. Nearer to one, shards would go back and forth as their loads go up and down.
 */
const APART_LEAST = 1.5

/** One hot shard instead of many others, although one of the nodes passes the mean by it, is to be worth so many times as much. */
const PASSING_LEAST = 2

/** By all of its weight a shard may fill its next node more than by its traffic it empties the last: up to so many times. */
const FILLS_MOST = 2

/** Each step makes the nodes more alike, so they end by themselves long before. */
const STEPS_PER_SHARD_MAX = 4

/** What differs by less is the same, in whatever order it was added up. */
const SAME = 1e-9

/** Shards that fill a node by so little find room among the others wherever there is any. */
const SMALL = 0.04

type Movable = Burden & { readonly shard: number }

/** What a map is to become, move by move. What is pinned, or moves already, stays. */
export class Spread {
  readonly #nodes: readonly string[]
  readonly #map: KeptShardMap
  readonly #weights: ShardWeights
  readonly #burdens: Burdens
  readonly #movable: Map<string, readonly Movable[]>
  readonly #goals = new Map<number, string>()

  constructor(nodes: readonly string[], map: KeptShardMap, weights: ShardWeights) {
    this.#nodes = nodes
    this.#map = map
    this.#weights = weights
    this.#burdens = new Burdens(nodes, map, weights)
    this.#movable = movableBy(map, weights)
  }

  /** In which nothing is held. */
  copy(): Spread {
    const copy = new Spread(this.#nodes, this.#map, this.#weights)
    for (const [shard, to] of this.#goals) {
      const from = this.#map.places[shard]?.desired ?? to
      const moved = copy.#movableOf(from).find((each) => each.shard === shard)
      if (moved !== undefined && from !== to) copy.#move(moved, from, to)
    }
    return copy
  }

  /** A shard that was moved on from where it had been moved to goes there at once. */
  moves(): readonly ShardMove[] {
    return [...this.#goals].flatMap(([shard, to]) => {
      const from = this.#map.places[shard]?.desired ?? null
      return from === to ? [] : [{ shard, from, to, reason: 'balance' }]
    })
  }

  /** How far beyond this nodes are, all together. */
  excess(fullest: number): number {
    let sum = 0
    for (const fullness of this.#burdens.fullnesses().values()) sum += Math.max(0, fullness - fullest)
    return sum
  }

  /** Always from who carries most to who carries least, until all are near the mean or no single move helps. */
  level(tolerance: number): void {
    let sources = new Set(this.#nodes)
    for (let steps = 0; steps < this.#map.places.length * STEPS_PER_SHARD_MAX; steps++) {
      const carried = this.#burdens.fullnesses()
      const from = mostCarrying(new Map([...carried].filter(([node]) => sources.has(node))))
      const to = leastCarrying(carried)
      if (from === null || to === null || from === to) return
      const [most, least] = [carried.get(from) ?? 0, carried.get(to) ?? 0]
      if (most <= 1 + tolerance && least >= 1 - tolerance) return
      const chosen = this.#bestOf(from, to)
      // Nothing of it can move: others may still have something for who carries least.
      if (chosen === null) sources.delete(from)
      else {
        this.#move(chosen, from, to)
        sources = new Set(this.#nodes)
      }
    }
  }

  /**
   * Two hot shards that became hot on one node: neither may go anywhere by itself, because the next node would be as full.
   * One of them goes all the same, to a node that can give its small shards to the others. It stays there.
   */
  exchange(fullest: number): boolean {
    const full = [...this.#burdens.fullnesses()].filter(([, fullness]) => fullness > fullest)
    for (const [from, fullness] of full.toSorted(([, one], [, other]) => other - one)) {
      const best = this.#bestExchange(from)
      if (best === null || best.after >= fullness) continue
      this.#move(best.moved, from, best.to)
      this.#hold(best.moved, best.to)
      return true
    }
    return false
  }

  #bestExchange(from: string): { moved: Movable; to: string; after: number } | null {
    const others = [...this.#burdens.fullnesses().keys()].filter((node) => node !== from)
    const large = new Map(others.map((node) => [node, this.#withoutSmall(node)]))
    let best: { moved: Movable; to: string; after: number } | null = null
    for (const moved of this.#movableOf(from)) {
      const left = this.#burdens.fullness(minus(this.#burdens.of(from), moved))
      for (const [to, burden] of large) {
        const after = Math.max(left, this.#burdens.fullness(plus(burden, moved)))
        if (best === null || after < best.after - SAME) best = { moved, to, after }
      }
    }
    return best
  }

  #withoutSmall(node: string): Burden {
    const small = this.#movableOf(node).filter((shard) => this.#burdens.fullness(shard) <= SMALL)
    return small.reduce(minus, this.#burdens.of(node))
  }

  /** The heaviest that makes neither pass the mean, or a hotter one that does much more for both. */
  #bestOf(from: string, to: string): Movable | null {
    const [most, least] = [this.#fullnessOf(from), this.#fullnessOf(to)]
    let fits: Candidate | null = null
    let passes: Candidate | null = null
    for (const moved of this.#movableOf(from)) {
      const left = this.#burdens.fullness(minus(this.#burdens.of(from), moved))
      const filled = this.#burdens.fullness(plus(this.#burdens.of(to), moved))
      const [down, up] = [most - left, filled - least]
      if (down <= SAME || up > down * FILLS_MOST) continue
      /** By how much both together come nearer to the mean. */
      const gain = Math.abs(most - 1) - Math.abs(left - 1) + Math.abs(least - 1) - Math.abs(filled - 1)
      if (left >= 1 - SAME && filled <= 1 + SAME) {
        if (fits === null || gain > fits.gain + SAME) fits = { moved, gain }
      } else if (Math.max(up, down) * APART_LEAST <= most - least + SAME) {
        if (passes === null || gain > passes.gain - SAME) passes = { moved, gain }
      }
    }
    if (fits === null || passes === null) return (fits ?? passes)?.moved ?? null
    return passes.gain > fits.gain * PASSING_LEAST ? passes.moved : fits.moved
  }

  #move(moved: Movable, from: string, to: string): void {
    const others = this.#movableOf(from).filter(({ shard }) => shard !== moved.shard)
    this.#movable.set(from, others).set(to, heaviestFirst([...this.#movableOf(to), moved]))
    this.#goals.set(moved.shard, to)
    this.#burdens.move(moved, from, to)
  }

  #hold({ shard }: Movable, node: string): void {
    this.#movable.set(
      node,
      this.#movableOf(node).filter((each) => each.shard !== shard),
    )
  }

  #movableOf(node: string): readonly Movable[] {
    return this.#movable.get(node) ?? []
  }

  #fullnessOf(node: string): number {
    return this.#burdens.fullness(this.#burdens.of(node))
  }
}

type Candidate = { readonly moved: Movable; readonly gain: number }

const heaviestFirst = (shards: readonly Movable[]): readonly Movable[] =>
  shards.toSorted((one, other) => other.all - one.all || one.shard - other.shard)

const movableBy = (
  { places }: KeptShardMap,
  { all, traffic }: ShardWeights,
): Map<string, readonly Movable[]> => {
  const found = new Map<string, Movable[]>()
  for (const [shard, { owner, desired, pinned }] of places.entries()) {
    if (pinned || owner === null || owner !== desired) continue
    const ofNode = found.get(owner) ?? []
    ofNode.push({ shard, all: all[shard] ?? 1, traffic: traffic[shard] ?? 1 })
    found.set(owner, ofNode)
  }
  return new Map([...found].map(([node, ofNode]) => [node, heaviestFirst(ofNode)]))
}
