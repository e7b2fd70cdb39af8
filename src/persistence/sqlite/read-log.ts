import type { Database } from 'better-sqlite3'
import type { JournalEntry } from '../../ports/journal.ts'
import type { LogSlot } from '../store-port.ts'
import { prepareLocate, type UnindexedSlots } from './slot-file/locate-slots.ts'
import { RowEntries } from './slot-file/slot-rows.ts'

type SlotRow = { no: number; epoch: number; rest: number; layout: Buffer; body: string }
type Entries = { readonly entries: JournalEntry[]; readonly places: number[] }

export const prepareReadLog = (database: Database, recent: UnindexedSlots) => {
  const locate = prepareLocate(database, recent)
  const row = database.prepare<[number], SlotRow>(
    'SELECT no, epoch, rest, layout, body FROM slots WHERE id = ?',
  )
  const name = database.prepare<[number], string>('SELECT name FROM actors WHERE id = ?').pluck()
  /** Answers the place of what comes next. */
  const addEntries = (rows: RowEntries, firstPlace: number, { entries, places }: Entries): number => {
    let place = firstPlace
    for (; rows.next(); place++) {
      const actor = name.get(rows.actor)
      // A record that is gone whole.
      if (actor === undefined) continue
      const { set, cleared } = rows.timers(actor)
      places.push(place)
      entries.push({
        actor,
        seq: rows.seq,
        commandId: rows.commandId(),
        events: rows.events(),
        timersSet: set,
        timersCleared: cleared,
      })
    }
    return place
  }
  const readSlot = (shard: number, id: number): LogSlot => {
    const first = row.get(id)
    if (first === undefined) throw new Error(`a slot of shard ${shard} is in the index and not in the log`)
    const { no, epoch, rest } = first
    const rows = new RowEntries(first.layout, first.body)
    const { batchId, node } = rows
    if (node !== null) return { shard, no, epoch, batchId, record: { kind: 'open', node } }
    const found: Entries = { entries: [], places: [] }
    let place = addEntries(rows, 0, found)
    for (let more = 1; more <= rest; more++) {
      const next = row.get(id + more)
      if (next === undefined) throw new Error(`slot ${no} of shard ${shard} has lost a part`)
      place = addEntries(new RowEntries(next.layout, next.body), place, found)
    }
    const { entries, places } = found
    const areAllThere = entries.length === place
    return { shard, no, epoch, batchId, record: { kind: 'batch', entries, ...(!areAllThere && { places }) } }
  }
  const read = (shard: number, fromNo: number, limit: number): readonly LogSlot[] =>
    locate(shard, fromNo, limit).map((id) => readSlot(shard, id))
  // One transaction, so that the index and the slots that are not in it yet belong together.
  return database.transaction(read)
}
