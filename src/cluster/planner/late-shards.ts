import type { KeptShardMap } from '../../ports/shard-map.ts'
import { movingIn } from './next-map.ts'

type Way = { readonly to: string | null; readonly sinceMs: number }

/** A shard that has been on its way to one node for so long may never arrive. */
export const LATE_AFTER_MS = 60_000

/** Shards that nobody can open, or that are not let go: they are waited for, and nothing else waits for them. */
export class LateShards {
  #ways: ReadonlyMap<number, Way> = new Map()

  look(map: KeptShardMap, nowMs: number): ReadonlySet<number> {
    this.#ways = new Map(
      movingIn(map).map((shard): [number, Way] => {
        const to = map.places[shard]?.desired ?? null
        const before = this.#ways.get(shard)
        return [shard, before?.to === to ? before : { to, sinceMs: nowMs }]
      }),
    )
    const late = [...this.#ways].filter(([, { sinceMs }]) => nowMs - sinceMs >= LATE_AFTER_MS)
    return new Set(late.map(([shard]) => shard))
  }
}
