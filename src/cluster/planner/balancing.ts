import type { KeptShardMap } from '../../ports/shard-map.ts'
import type { ShardMove } from '../../ports/shard-orders.ts'
import { balancingMoves, isUneven } from './balance.ts'
import { arrivingIn } from './next-map.ts'
import type { ShardWeights } from './weights.ts'

/** When shards are spread anew: at once when a node came or went, otherwise when they are far from even, and not often. */
export class Balancing {
  readonly #restMs: number
  #restUntilMs = Number.NEGATIVE_INFINITY
  #among = ''
  isUnderWay = false

  constructor({ restMs }: { readonly restMs: number }) {
    this.#restMs = restMs
  }

  moves(
    map: KeptShardMap,
    takers: readonly string[],
    weights: ShardWeights,
    nowMs: number,
    late: ReadonlySet<number>,
  ): readonly ShardMove[] {
    const among = takers.join(' ')
    if (among !== this.#among) this.#restUntilMs = Number.NEGATIVE_INFINITY
    this.#among = among
    if (map.frozen || takers.length === 0) {
      this.isUnderWay = false
      return []
    }
    if (!this.isUnderWay && !this.#begins(map, takers, weights, nowMs)) return []
    const moves = balancingMoves(takers, map, weights)
    this.isUnderWay = moves.length > 0 || arrivingIn(map, late).length > 0
    if (!this.isUnderWay) this.#restUntilMs = nowMs + this.#restMs
    return moves
  }

  #begins(map: KeptShardMap, takers: readonly string[], weights: ShardWeights, nowMs: number): boolean {
    return nowMs >= this.#restUntilMs && isUneven(takers, map, weights)
  }
}
