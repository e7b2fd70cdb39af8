import type { Runtime } from '../../ports/runtime.ts'
import type { ShardLoad, ShardLoadStore } from '../../ports/shard-map.ts'
import { withinBy } from '../../timing/within.ts'
import { smoothedLoad } from '../smoothed-load.ts'

/** What a shard has done since it was opened here. */
export type ShardCounts = {
  readonly shard: number
  readonly epoch: number
  readonly events: number
  readonly bytes: number
  readonly residents: number
}

export type LoadReportParts = {
  readonly node: string
  readonly counts: () => readonly ShardCounts[]
  readonly store: Pick<ShardLoadStore, 'tell'>
  readonly runtime: Runtime
}

const INTERVAL_MS = 15_000
const TELL_LIMIT_MS = 2_000
/** The part of the newest measurement: what lasts for a minute counts, and a burst does not. */
const NEWEST_PART = 0.4

/** Tells the others, now and then, what each shard of this node costs it. */
export const reportLoads = async (parts: LoadReportParts, signal: AbortSignal): Promise<void> => {
  const { node, counts, store, runtime } = parts
  const loads = new Map<number, ShardLoad>()
  let before = new Map<number, ShardCounts>()
  let beforeMs = runtime.monotonicMs()
  while (!signal.aborted) {
    await runtime.sleep(INTERVAL_MS, signal).catch(() => {})
    if (signal.aborted) return
    const nowMs = runtime.monotonicMs()
    const now = new Map(counts().map((each) => [each.shard, each]))
    for (const [shard, each] of now) {
      const last = before.get(shard)
      // One that was opened in between is measured from the next time on: until then what its last owner said counts.
      if (last?.epoch !== each.epoch) continue
      loads.set(
        shard,
        smoothedLoad(loads.get(shard), measuredFrom(last, each, (nowMs - beforeMs) / 1_000), NEWEST_PART),
      )
    }
    for (const shard of loads.keys()) if (!now.has(shard)) loads.delete(shard)
    ;[before, beforeMs] = [now, nowMs]
    // What is not told now is told with the next one.
    const told = store.tell({ node, loads: [...loads.values()] }).catch(() => {})
    await withinBy(runtime, TELL_LIMIT_MS, told, () => {})
  }
}

const measuredFrom = (before: ShardCounts, now: ShardCounts, seconds: number): ShardLoad => ({
  shard: now.shard,
  eventsPerSecond: (now.events - before.events) / seconds,
  bytesPerSecond: (now.bytes - before.bytes) / seconds,
  residents: now.residents,
})
