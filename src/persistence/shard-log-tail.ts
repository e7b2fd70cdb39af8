import type { TailPosition, TailRecord } from '../ports/journal.ts'
import type { RecentSlots } from './recent-slots.ts'
import type { ShardLogParts } from './shard-log-takeover.ts'
import type { LogSlot } from './store-port.ts'

/**
 * Reads the committed entries after a position, in order, of any shard and whichever node owns it. `recent` are the
 * slots of a shard that is open in this process.
 */
export const readTail = async (
  parts: ShardLogParts,
  recent: RecentSlots | null,
  shard: number,
  from: TailPosition | null,
  limit: number,
): Promise<readonly TailRecord[]> => {
  const records: TailRecord[] = []
  let nextNo = from?.no ?? (await firstKeptNo(parts, shard))
  while (records.length < limit) {
    const known = recent?.since(nextNo) ?? null
    if (known !== null) {
      records.push(...known.flatMap((slot) => recordsOf(slot, from)))
      break
    }
    const slots = await readSlots(parts, shard, nextNo)
    for (const slot of slots) records.push(...recordsOf(slot, from))
    const last = slots.at(-1)
    if (last !== undefined) {
      if (slots.length < parts.settings.tailPageSlots) break
      nextNo = last.no + 1
    } else if (nextNo !== from?.no) break
    else {
      // The slot of the position is missing too: its segment is retired, or the shard has no slot yet.
      nextNo = await firstKeptNo(parts, shard)
      if (nextNo <= from.no) break
    }
  }
  return records.slice(0, limit)
}

const readSlots = ({ store, calls, settings }: ShardLogParts, shard: number, fromNo: number) =>
  calls.once(() => store.readLog(shard, fromNo, settings.tailPageSlots))

export const firstKeptNo = async (
  { store, calls, settings }: ShardLogParts,
  shard: number,
): Promise<number> => (await calls.once(() => store.firstSegment(shard))) * settings.segmentSlots

const recordsOf = ({ no, epoch, record }: LogSlot, from: TailPosition | null): readonly TailRecord[] => {
  if (record.kind === 'open') return []
  const records = record.entries.map((entry, index) => ({ no, index, epoch, entry }))
  return from === null || no > from.no
    ? records
    : records.filter((each) => no === from.no && each.index > from.index)
}
