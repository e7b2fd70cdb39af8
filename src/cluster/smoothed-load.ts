import type { ShardLoad } from '../ports/shard-map.ts'

/** What goes up and down from one measurement to the next counts by a part of it; records in memory are what they are. */
export const smoothedLoad = (
  before: ShardLoad | undefined,
  now: ShardLoad,
  newestPart: number,
): ShardLoad => {
  if (before === undefined) return now
  const mixed = (old: number, next: number): number => old + (next - old) * newestPart
  return {
    ...now,
    eventsPerSecond: mixed(before.eventsPerSecond, now.eventsPerSecond),
    bytesPerSecond: mixed(before.bytesPerSecond, now.bytesPerSecond),
  }
}
