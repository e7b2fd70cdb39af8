import type { Runtime } from '../ports/runtime.ts'
import type { KeptPlace, KeptShardMap } from '../ports/shard-map.ts'

type WatchedMap = {
  current(): KeptShardMap
  onChange(listener: (map: KeptShardMap) => void): () => void
}

export type MoveWatch = {
  /** Shards that this node has begun to serve, and that it has stopped serving, since its start. */
  readonly counts: () => { readonly came: number; readonly went: number }
  /** The longest of the last pauses of shards that came here; null where none came lately. */
  readonly recentPauseMs: () => number | null
}

/** Pauses are forgotten after this time, and when so many others came after them. */
const RECENT_MS = 600_000
const PAUSES_MAX = 64

/**
 * What moves did to this node, as the map tells it. A pause is the time from when the owner before said that it had let go
 * to when this node said that it serves the shard: what the old owner takes for its last commands comes before it.
 */
export const watchMoves = (
  node: string,
  map: WatchedMap,
  runtime: Pick<Runtime, 'monotonicMs'>,
): MoveWatch => {
  const sums = { came: 0, went: 0 }
  /** By shard, so there are no more than shards. */
  const letGoAtMs = new Map<number, number>()
  const pauses: { readonly ms: number; readonly atMs: number }[] = []
  let before = map.current().places
  const came = (shard: number, nowMs: number): void => {
    sums.came++
    const sinceMs = letGoAtMs.get(shard)
    if (sinceMs === undefined) return
    pauses.push({ ms: nowMs - sinceMs, atMs: nowMs })
    if (pauses.length > PAUSES_MAX) pauses.shift()
  }
  map.onChange(({ places }) => {
    const nowMs = runtime.monotonicMs()
    for (const [shard, place] of places.entries()) {
      const { owner = null } = before[shard] ?? {}
      if (owner === node && place.owner !== node) sums.went++
      if (owner !== node && place.owner === node) came(shard, nowMs)
      if (!isLetGoFor(node, place)) letGoAtMs.delete(shard)
      else if (owner !== null) letGoAtMs.set(shard, nowMs)
    }
    before = places
  })
  return {
    counts: () => ({ ...sums }),
    recentPauseMs: () => {
      const fromMs = runtime.monotonicMs() - RECENT_MS
      const recent = pauses.filter(({ atMs }) => atMs >= fromMs).map(({ ms }) => ms)
      return recent.length === 0 ? null : Math.max(...recent)
    },
  }
}

/** Without an epoch nobody let go: its owner died. */
const isLetGoFor = (node: string, { owner, desired, epoch }: KeptPlace): boolean =>
  owner === null && desired === node && epoch !== null
