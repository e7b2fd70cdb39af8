import type { Database } from 'better-sqlite3'
import type { JournalEntry } from '../../actors/journal-port.ts'
import type { LogSlot } from '../store-port.ts'
import { prepareLocate, type RecentSlots } from './locate-slots.ts'
import { eventCount, parseShape, timersOf } from './slot-shape.ts'

type SlotRow = {
  no: number
  epoch: number
  batch_id: string
  node: string | null
  first_event: number
  last_event: number
  shape: string | null
}
type EventRow = { seq: number; commandId: string | null; data: string; actor: string }

export const prepareReadLog = (database: Database, recent: RecentSlots) => {
  const locate = prepareLocate(database, recent)
  const slot = database.prepare<[number], SlotRow>(
    'SELECT no, epoch, batch_id, node, first_event, last_event, shape FROM slots WHERE id = ?',
  )
  const events = database.prepare<[number, number], EventRow>(
    `SELECT events.seq, events.command_id AS commandId, events.data, actors.name AS actor
     FROM events JOIN actors ON actors.id = events.actor
     WHERE events.id BETWEEN ? AND ? ORDER BY events.id`,
  )
  const readSlot = (shard: number, row: SlotRow): LogSlot => {
    const { no, epoch, batch_id: batchId, node } = row
    if (node !== null) return { shard, no, epoch, batchId, record: { kind: 'open', node } }
    const entries = groupEntries(events.all(row.first_event, row.last_event), row.shape)
    return { shard, no, epoch, batchId, record: { kind: 'batch', entries } }
  }
  const read = (shard: number, fromNo: number, limit: number): readonly LogSlot[] =>
    locate(shard, fromNo, limit).map((id) => {
      const row = slot.get(id)
      if (row === undefined) throw new Error(`a slot of shard ${shard} is in the index and not in the log`)
      return readSlot(shard, row)
    })
  // One transaction, so that the index and what is not in it yet belong together.
  return database.transaction(read)
}

const groupEntries = (rows: readonly EventRow[], shape: string | null): readonly JournalEntry[] => {
  const shapes = parseShape(shape) ?? rows.map(() => 1)
  let start = 0
  return shapes.map((entryShape) => {
    const end = start + eventCount(entryShape)
    const first = rows[start]
    if (first === undefined) throw new Error('a slot names more events than the file holds')
    const { set, cleared } = timersOf(entryShape, first.actor)
    const entry: JournalEntry = {
      actor: first.actor,
      seq: first.seq,
      commandId: first.commandId,
      events: rows.slice(start, end).map((row) => row.data),
      timersSet: set,
      timersCleared: cleared,
    }
    start = end
    return entry
  })
}
