import { isEnded, type NodeLease } from '../../ports/lease.ts'
import type { KeptShardMap } from '../../ports/shard-map.ts'

/** What a node is to let go. */
export type Waiting = {
  /** The process that is asked for it. */
  readonly incarnation: string
  /** For how long the shard has been wanted from it that has been wanted longest. */
  readonly longestMs: number
  /** For how long it has let go of none. */
  readonly stillMs: number
}

type Wanted = { readonly from: NodeLease; readonly sinceMs: number }

/** After so long a time without a look nothing counts of before: a store that was away kept everybody from the map. */
const GAP_MS_MAX = 10_000

/**
 * Shards that living nodes are to let go for other living ones, and since when this process sees that: no clock is
 * compared for it. Which node is to have a shard may change meanwhile; that it is to be let go does not. While the map
 * is frozen no time passes.
 */
export class WantedShards {
  #wanted: ReadonlyMap<number, Wanted> = new Map()
  #letGoAtMs: ReadonlyMap<string, number> = new Map()
  #lookedAtMs = Number.NEGATIVE_INFINITY

  look(map: KeptShardMap, living: readonly NodeLease[], nowMs: number): ReadonlyMap<string, Waiting> {
    const before: ReadonlyMap<number, Wanted> =
      nowMs - this.#lookedAtMs > GAP_MS_MAX ? new Map() : this.#wanted
    this.#lookedAtMs = nowMs
    const owners = ownersIn(map, living)
    this.#wanted = new Map(
      [...owners].map(([shard, from]): [number, Wanted] => {
        const known = before.get(shard)
        return [shard, isSame(known?.from, from) && known !== undefined ? known : { from, sinceMs: nowMs }]
      }),
    )
    this.#noteLetGo(before, nowMs)
    return this.#waiting(nowMs)
  }

  #noteLetGo(before: ReadonlyMap<number, Wanted>, nowMs: number): void {
    const asked = new Set(Array.from(this.#wanted.values(), ({ from }) => from.incarnation))
    const letGo = new Map([...this.#letGoAtMs].filter(([incarnation]) => asked.has(incarnation)))
    for (const [shard, { from }] of before)
      if (asked.has(from.incarnation) && !isSame(this.#wanted.get(shard)?.from, from))
        letGo.set(from.incarnation, nowMs)
    this.#letGoAtMs = letGo
  }

  #waiting(nowMs: number): ReadonlyMap<string, Waiting> {
    const waiting = new Map<string, Waiting>()
    for (const { from, sinceMs } of this.#wanted.values()) {
      const { node, incarnation } = from
      const longestMs = Math.max(nowMs - sinceMs, waiting.get(node)?.longestMs ?? 0)
      const letGoAtMs = this.#letGoAtMs.get(incarnation) ?? Number.NEGATIVE_INFINITY
      waiting.set(node, { incarnation, longestMs, stillMs: Math.min(longestMs, nowMs - letGoAtMs) })
    }
    return waiting
  }
}

export const isAnyWanted = (map: KeptShardMap, living: readonly NodeLease[]): boolean =>
  ownersIn(map, living).size > 0

/** By shard, the lease of the node that is to let it go; one that was ended already counts no more. */
const ownersIn = (
  { places, frozen }: KeptShardMap,
  living: readonly NodeLease[],
): ReadonlyMap<number, NodeLease> => {
  const owners = new Map<number, NodeLease>()
  if (frozen) return owners
  const leases = new Map(living.map((lease) => [lease.node, lease]))
  for (const [shard, { owner, desired }] of places.entries()) {
    if (owner === null || desired === null || owner === desired) continue
    const [from, to] = [leases.get(owner), leases.get(desired)]
    if (from !== undefined && to !== undefined && !isEnded(from)) owners.set(shard, from)
  }
  return owners
}

const isSame = (one: NodeLease | undefined, other: NodeLease): boolean =>
  one?.node === other.node && one.incarnation === other.incarnation
