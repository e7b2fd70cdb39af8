import {
  compareTimerRows,
  type JournalEntry,
  type StoredActor,
  type StoredEvent,
  type TailPosition,
  type TailRecord,
  type TimerRow,
} from '../ports/journal.ts'
import type { ShardLogParts } from './shard-log-takeover.ts'
import { entriesOf, type LogSlot } from './store-port.ts'

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
  if (recent?.hasNothingAfter(from) === true) return NOTHING
  const before = recent?.last ?? null
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
  if (records.length === 0 && limit > 0) recent?.foundNothing(from, before)
  return records.slice(0, limit)
}

const NOTHING: readonly TailRecord[] = []

const readSlots = ({ store, calls, settings }: ShardLogParts, shard: number, fromNo: number) =>
  calls.once(() => store.readLog(shard, fromNo, settings.tailPageSlots))

export const firstKeptNo = async ({ store, calls }: ShardLogParts, shard: number): Promise<number> =>
  (await calls.once(() => store.firstSegment(shard))) * store.segmentSlots

export const recordsOf = (
  { no, epoch, record }: LogSlot,
  from: TailPosition | null,
): readonly TailRecord[] => {
  if (record.kind === 'open') return []
  const { entries, places } = record
  const records = entries.map((entry, at) => ({ no, index: places?.[at] ?? at, epoch, entry }))
  return from === null || no > from.no
    ? records
    : records.filter((each) => no === from.no && each.index > from.index)
}

/** A follower is one or two slots behind, or so far behind that it reads the store: keeping more only fills memory. */
const ENOUGH_SLOTS = 4
const ENOUGH_EVENTS = 64
const EVENTS_MAX = 256
/** After this many slots without a read, all followers have stopped. */
const UNASKED_MAX = 64

/**
 * The slots committed last in this process, so that a reader who follows the log closely reads nothing from the store.
 * They are kept only while a reader follows, because objects that live for a while and then go cost the garbage
 * collector most.
 */
export class RecentSlots {
  readonly #slots: LogSlot[] = []
  #events = 0
  #unasked = UNASKED_MAX
  /** The last place of the log that holds an entry, as far as this process has written it. */
  #last: TailPosition | null
  /** A reader that stood here found nothing, and nothing was written since; undefined while that is not known. */
  #emptyAfter: TailPosition | null | undefined

  /** `openNo`: the slot that opened the shard here; what it was before is not known here. */
  constructor(openNo: number | null = null) {
    this.#last = openNo === null ? null : { no: openNo, index: -1 }
  }

  get last(): TailPosition | null {
    return this.#last
  }

  /** A reader that has seen everything needs nobody to look. */
  hasNothingAfter(from: TailPosition | null): boolean {
    this.#unasked = 0
    if (this.#emptyAfter !== undefined && !isBefore(from, this.#emptyAfter)) return true
    return this.#last !== null && !isBefore(from, this.#last)
  }

  /** In the store, when the last place was `last`: what the log held before the shard was opened here is known from then on. */
  foundNothing(from: TailPosition | null, last: TailPosition | null): void {
    if (last !== null && last === this.#last) this.#emptyAfter = from
  }

  add(slot: LogSlot): void {
    this.#last = { no: slot.no, index: entriesOf(slot).length - 1 }
    this.#emptyAfter = undefined
    if (this.#unasked === UNASKED_MAX) return
    this.#unasked++
    this.#slots.push(slot)
    this.#events += eventCountOf(slot)
    while (this.#isTooMuch()) {
      const oldest = this.#slots.shift()
      if (oldest === undefined) return
      this.#events -= eventCountOf(oldest)
    }
  }

  #isTooMuch(): boolean {
    if (this.#unasked === UNASKED_MAX || this.#events > EVENTS_MAX) return true
    return this.#slots.length > ENOUGH_SLOTS && this.#events > ENOUGH_EVENTS
  }

  /** The slots from `no` on; null when older ones than these would be needed. */
  since(no: number): readonly LogSlot[] | null {
    this.#unasked = 0
    const first = this.#slots[0]
    return first === undefined || no < first.no ? null : this.#slots.slice(no - first.no)
  }
}

/** Null is the beginning of the log. */
const isBefore = (one: TailPosition | null, other: TailPosition | null): boolean => {
  if (one === null || other === null) return one === null && other !== null
  return one.no < other.no || (one.no === other.no && one.index < other.index)
}

export const eventCountOf = (slot: LogSlot): number =>
  entriesOf(slot).reduce((sum, entry) => sum + entry.events.length, 0)

/**
 * Committed slots whose copies are not written yet, found by actor and by timer row; reads merge them with the rows of
 * the store.
 */
export class UncopiedSlots {
  readonly #slots: LogSlot[] = []
  readonly #entries = new Map<string, JournalEntry[]>()
  readonly #timers = new Map<string, { readonly row: TimerRow; readonly no: number }>()

  #eventCount = 0

  get isEmpty(): boolean {
    return this.#slots.length === 0
  }

  get slotCount(): number {
    return this.#slots.length
  }

  get eventCount(): number {
    return this.#eventCount
  }

  add(slot: LogSlot): void {
    this.#slots.push(slot)
    this.#eventCount += eventCountOf(slot)
    for (const entry of entriesOf(slot)) {
      const known = this.#entries.get(entry.actor)
      if (known === undefined) this.#entries.set(entry.actor, [entry])
      else known.push(entry)
      for (const row of entry.timersCleared) this.#timers.delete(timerKey(row))
      for (const row of entry.timersSet) this.#timers.set(timerKey(row), { row, no: slot.no })
    }
  }

  /** The oldest slots within the limits, at least one. */
  head(slotsMax: number, eventsMax: number): readonly LogSlot[] {
    let events = 0
    let count = 0
    for (const slot of this.#slots) {
      events += eventCountOf(slot)
      if (count > 0 && (count >= slotsMax || events > eventsMax)) break
      count++
    }
    return this.#slots.slice(0, count)
  }

  copied(slots: readonly LogSlot[]): void {
    this.#slots.splice(0, slots.length)
    for (const slot of slots) this.#eventCount -= eventCountOf(slot)
    for (const slot of slots) {
      for (const entry of entriesOf(slot)) {
        const known = this.#entries.get(entry.actor)
        known?.shift()
        if (known?.length === 0) this.#entries.delete(entry.actor)
        for (const row of entry.timersSet) this.#forgetTimer(row, slot.no)
      }
    }
  }

  entriesOf(actor: string): readonly JournalEntry[] {
    return [...(this.#entries.get(actor) ?? [])]
  }

  timersDone(rows: readonly TimerRow[]): void {
    for (const row of rows) this.#timers.delete(timerKey(row))
  }

  timers(): readonly TimerRow[] {
    return [...this.#timers.values()].map(({ row }) => row)
  }

  #forgetTimer(row: TimerRow, no: number): void {
    const key = timerKey(row)
    if (this.#timers.get(key)?.no === no) this.#timers.delete(key)
  }
}

export const timerKey = (row: TimerRow): string => `${row.dueMs} ${row.actor} ${row.timerId}`

/**
 * The copied events followed by the uncopied ones; throws when an event is missing between them. A copy in flight may
 * have written some of the uncopied events already, in any order, so those count as uncopied.
 */
export const mergeStored = (
  actor: string,
  snapshot: StoredActor['snapshot'],
  copied: readonly StoredEvent[],
  uncopied: readonly JournalEntry[],
): StoredActor => {
  const events: StoredEvent[] = []
  let seq = snapshot?.seq ?? 0
  const push = (event: StoredEvent): void => {
    if (event.seq <= seq) return
    // Whether a record may begin with another event than its first is for the host to say.
    if (event.seq !== seq + 1 && seq > 0)
      throw new Error(`${actor} has event ${event.seq} after event ${seq}`)
    events.push(event)
    seq = event.seq
  }
  const firstUncopied = uncopied[0]?.seq ?? Number.POSITIVE_INFINITY
  for (const event of copied) if (event.seq < firstUncopied) push(event)
  for (const { seq: first, commandId, events: texts } of uncopied) {
    texts.forEach((data, index) => push({ seq: first + index, commandId, data }))
  }
  return { snapshot, events }
}

/** One page of the store's rows merged with the uncopied ones, each row once. */
export const mergeTimerRows = (
  stored: readonly TimerRow[],
  uncopied: readonly TimerRow[],
  limit: number,
): readonly TimerRow[] => {
  if (uncopied.length === 0) return stored
  const known = new Set(stored.map(timerKey))
  const missing = new Map<string, TimerRow>()
  // A row set below the floor is held by the floor as well until its copy is written.
  for (const row of uncopied) if (!known.has(timerKey(row))) missing.set(timerKey(row), row)
  return missing.size === 0 ? stored : [...stored, ...missing.values()].sort(compareTimerRows).slice(0, limit)
}
