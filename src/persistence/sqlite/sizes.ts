import { dirname } from 'node:path'
import type { Database } from 'better-sqlite3'
import { kindOf } from '../../domain/references.ts'
import type { StoredSize } from '../store-port.ts'
import { bodiesInUse, bodyFile } from './body-file.ts'
import { SEGMENT_SLOTS } from './slot-file/segments.ts'
import { RowEntries } from './slot-file/slot-rows.ts'

type SlotRow = {
  readonly id: number
  readonly shard: number | null
  readonly no: number | null
  readonly rest: number
  readonly layout: Buffer
  readonly bytes: number
}
type Counted = { rows: number; bytes: number }

const KINDS_REMEMBERED_MAX = 100_000
const KIND_OF_NAME = "substr(name, 1, instr(name, '_') - 1)"

/** Everything but the events, whose rows have entries of several kinds. */
const GROUPS = {
  actors: `SELECT ${KIND_OF_NAME} AS kind, count(*) AS rows, sum(2 * length(name) + 24) AS bytes FROM actors GROUP BY 1`,
  snapshots: `SELECT ${KIND_OF_NAME} AS kind, count(*) AS rows, sum(length(CAST(data AS BLOB)) + 12) AS bytes
    FROM snapshots JOIN actors ON actors.id = snapshots.actor GROUP BY 1`,
  timers: `SELECT substr(actor, 1, instr(actor, '_') - 1) AS kind, count(*) AS rows,
    sum(length(actor) + length(timer_id) + 16) AS bytes FROM timers GROUP BY 1`,
} as const

/** What uses the space of the file, with that of the bodies beside it; the pages of the file are at the end. */
export const prepareSizes = (database: Database) => {
  const slots = database.prepare<[], SlotRow>(
    'SELECT id, shard, no, rest, layout, length(layout) + length(CAST(body AS BLOB)) AS bytes FROM slots ORDER BY id',
  )
  const firstSegments = database.prepare<[], { shard: number; first_segment: number }>(
    'SELECT shard, first_segment FROM shards',
  )
  const kindOfActor = prepareKindOf(database)
  return (): readonly StoredSize[] => {
    const groups = Object.entries(GROUPS).flatMap(([what, sql]) =>
      database
        .prepare<[], Omit<StoredSize, 'what'>>(sql)
        .all()
        .map((row) => ({ what, ...row })),
    )
    const kept = new Map(firstSegments.all().map((row) => [row.shard, row.first_segment * SEGMENT_SLOTS]))
    const log: Counted = { rows: 0, bytes: 0 }
    const events = new Map<string | null, Counted>()
    let slot: SlotRow | null = null
    for (const row of slots.iterate()) {
      if (row.no !== null) slot = row
      if (isInLog(row, slot, kept)) add(log, row.bytes)
      const entries = new RowEntries(row.layout, '')
      while (entries.next()) {
        const kind = kindOfActor(entries.actor)
        const counted = events.get(kind) ?? { rows: 0, bytes: 0 }
        add(counted, entries.textLength, entries.eventCount)
        events.set(kind, counted)
      }
    }
    const pragma = (name: string): number => Number(database.pragma(name, { simple: true }))
    const pageBytes = pragma('page_size')
    const pages = (what: string, rows: number): StoredSize => {
      const bytes = rows * pageBytes
      return { what, kind: null, rows, bytes }
    }
    return [
      { what: 'log', kind: null, ...log },
      ...[...events].map(([kind, counted]) => ({ what: 'events', kind, ...counted })),
      ...groups,
      { what: 'bodies', kind: null, ...bodiesInUse(bodyFile(dirname(database.name))) },
      pages('free pages', pragma('freelist_count')),
      pages('all pages', pragma('page_count')),
    ]
  }
}

const add = (counted: Counted, bytes: number, rows = 1): void => {
  counted.rows += rows
  counted.bytes += bytes
}

const isInLog = ({ id }: SlotRow, slot: SlotRow | null, kept: ReadonlyMap<number, number>): boolean => {
  if (slot === null || slot.no === null || slot.shard === null || id > slot.id + slot.rest) return false
  return slot.no >= (kept.get(slot.shard) ?? 0)
}

/** Null for a record that is gone. */
const prepareKindOf = (database: Database) => {
  const name = database.prepare<[number], string>('SELECT name FROM actors WHERE id = ?').pluck()
  const known = new Map<number, string | null>()
  return (actor: number): string | null => {
    const found = known.get(actor)
    if (found !== undefined) return found
    if (known.size === KINDS_REMEMBERED_MAX) known.clear()
    const named = name.get(actor)
    const kind = named === undefined ? null : kindOf(named)
    known.set(actor, kind)
    return kind
  }
}
