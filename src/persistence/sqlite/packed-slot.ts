import type { JournalEntry, TimerRow } from '../../actors/journal-port.ts'
import type { LogSlot } from '../store-port.ts'

/**
 * A slot as flat lists: what crosses the thread boundary is copied value by value, and a nested object costs several
 * times what a string in a list costs.
 */
export type PackedSlot = readonly [
  shard: number,
  no: number,
  epoch: number,
  batchId: string,
  node: string | null,
  shape: string | null,
  actors: readonly string[],
  seqs: readonly number[],
  commandIds: readonly (string | null)[],
  events: readonly string[],
]

type TimerShape =
  | readonly [timerId: string, dueMs: number]
  | readonly [timerId: string, dueMs: number, actor: string]

/** How the events of a slot fall into entries, and their timers. A bare number is an entry of so many events without timers. */
export type EntryShape =
  | number
  | readonly [events: number, set: readonly TimerShape[], cleared: readonly TimerShape[]]

export const packSlot = (slot: LogSlot): PackedSlot => {
  const { shard, no, epoch, batchId, record } = slot
  if (record.kind === 'open') return [shard, no, epoch, batchId, record.node, null, [], [], [], []]
  const { entries } = record
  const events: string[] = []
  for (const entry of entries) {
    if (entry.events.length === 0) throw new RangeError(`an entry of ${entry.actor} has no event`)
    for (const event of entry.events) events.push(event)
  }
  return [
    shard,
    no,
    epoch,
    batchId,
    null,
    packShape(entries),
    entries.map((entry) => entry.actor),
    entries.map((entry) => entry.seq),
    entries.map((entry) => entry.commandId),
    events,
  ]
}

/** Null for the usual case of one event an entry and no timers: nothing to store, nothing to parse. */
const packShape = (entries: readonly JournalEntry[]): string | null => {
  const plain = (entry: JournalEntry): boolean =>
    entry.timersSet.length === 0 && entry.timersCleared.length === 0
  if (entries.every((entry) => plain(entry) && entry.events.length === 1)) return null
  const shapes = entries.map((entry): EntryShape => {
    if (plain(entry)) return entry.events.length
    const pack = (row: TimerRow): TimerShape =>
      row.actor === entry.actor ? [row.timerId, row.dueMs] : [row.timerId, row.dueMs, row.actor]
    return [entry.events.length, entry.timersSet.map(pack), entry.timersCleared.map(pack)]
  })
  return JSON.stringify(shapes)
}

export const parseShape = (shape: string | null): readonly EntryShape[] | null =>
  shape === null ? null : (JSON.parse(shape) as EntryShape[])

export const eventCount = (shape: EntryShape): number => (typeof shape === 'number' ? shape : shape[0])

export const timersOf = (
  shape: EntryShape,
  actor: string,
): { readonly set: readonly TimerRow[]; readonly cleared: readonly TimerRow[] } => {
  if (typeof shape === 'number') return NO_TIMERS
  const unpack = ([timerId, dueMs, other]: TimerShape): TimerRow => ({
    actor: other ?? actor,
    timerId,
    dueMs,
  })
  return { set: shape[1].map(unpack), cleared: shape[2].map(unpack) }
}

const NO_TIMERS = { set: [], cleared: [] }
