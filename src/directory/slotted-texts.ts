import type { Database } from 'better-sqlite3'

/** Most texts fit: two names of fifteen letters. */
const LEAST_ROOM = 32
/** Texts are lines, so an empty one at the end means nothing. */
const PADDING = '\n'

/** What `q` is looked for in, of a row of `records` under that name. */
export const textOf = (records: string): string =>
  `CASE WHEN ${records}.text_slot IS NULL THEN ${records}.search
   ELSE (SELECT rtrim(text, char(10)) FROM texts WHERE slot = ${records}.text_slot) END`

const roomFor = (text: string): number => {
  let room = LEAST_ROOM
  for (const bytes = Buffer.byteLength(text); room < bytes; ) room *= 2
  return room
}

const padded = (text: string, room: number): string => text + PADDING.repeat(room - Buffer.byteLength(text))

const prepare = (database: Database) => ({
  roomOf: database.prepare<[number], number>('SELECT octet_length(text) FROM texts WHERE slot = ?').pluck(),
  last: database.prepare<[], number>('SELECT max(slot) FROM texts').pluck(),
  append: database.prepare<[number, string]>('INSERT INTO texts (slot, text) VALUES (?, ?)'),
  overwrite: database.prepare<[string, number]>('UPDATE texts SET text = ? WHERE slot = ?'),
  findFree: database.prepare<[number], number>('SELECT slot FROM free_texts WHERE room = ? LIMIT 1').pluck(),
  take: database.prepare<[number, number]>('DELETE FROM free_texts WHERE room = ? AND slot = ?'),
  give: database.prepare<[number, number]>('INSERT INTO free_texts (room, slot) VALUES (?, ?)'),
})

/**
 * Texts that may name a person, in slots of their own: a slot is appended once, is overwritten in its place by a text
 * that takes the same room, and is never deleted. A row that grows or goes makes SQLite move its neighbours between
 * pages, and what it leaves in the unused part of a page is reached by no later deletion, not even with secure_delete
 * (79 of 36,000 texts were left that way; of those in slots none). All of it belongs into a transaction of the caller.
 */
export class SlottedTexts {
  readonly #sql: ReturnType<typeof prepare>

  constructor(database: Database) {
    this.#sql = prepare(database)
  }

  /** A text without an empty last line. Answers with the slot that it stands in now; null for an empty text, which needs none. */
  put(slot: number | null, text: string): number | null {
    const room = roomFor(text)
    if (slot !== null && text !== '' && this.#sql.roomOf.get(slot) === room) {
      this.#sql.overwrite.run(padded(text, room), slot)
      return slot
    }
    if (slot !== null) this.free(slot)
    if (text === '') return null
    const free = this.#sql.findFree.get(room)
    if (free === undefined) {
      const appended = (this.#sql.last.get() ?? 0) + 1
      this.#sql.append.run(appended, padded(text, room))
      return appended
    }
    this.#sql.take.run(room, free)
    this.#sql.overwrite.run(padded(text, room), free)
    return free
  }

  /** Overwrites the text, and leaves its slot to another. */
  free(slot: number): void {
    const room = this.#sql.roomOf.get(slot)
    if (room === undefined) return
    this.#sql.overwrite.run(padded('', room), slot)
    this.#sql.give.run(room, slot)
  }
}

/**
 * Whether the text stands in a slot: not what the organisation itself calls the record, in which no person is to be
 * named, nor the id. Most rows have no other text, and rows that pass (deliveries) never do.
 */
export const isForSlot = (row: {
  readonly id: string
  readonly search: string
  readonly externalId: string | null
  readonly isPassing: boolean
}): boolean => !row.isPassing && row.search !== (row.externalId ?? '') && !row.id.includes(row.search)
