import type { Database, Statement } from 'better-sqlite3'
import { shardOfActor } from '../../domain/references.ts'
import type { StoredEvent } from '../../ports/journal.ts'
import { RowEntries } from './slot-file/slot-rows.ts'

type ActorRow = { id: number; last_row: number }
type Row = { layout: Buffer; body: string }

/** Follows an actor's chain of rows backwards from its end. */
export const prepareReadEvents = (database: Database) => {
  const actorRow = database.prepare<[number, string], ActorRow>(
    'SELECT id, last_row FROM actors WHERE shard = ? AND name = ?',
  )
  const select = database.prepare<[number], Row>('SELECT layout, body FROM slots WHERE id = ?')
  const ends = new UnflushedEnds(database)
  const read = (name: string, afterSeq: number): readonly StoredEvent[] => {
    const actor = actorRow.get(shardOfActor(name), name)
    if (actor === undefined) return []
    const newestFirst: (readonly StoredEvent[])[] = []
    // Of an actor that was folded the newest rows may be gone, and the table has its end.
    for (let id = Math.max(ends.endOf(actor.id) ?? 0, actor.last_row); id > 0; ) {
      const row = select.get(id)
      const found = row === undefined ? null : eventsIn(row, actor.id, afterSeq)
      // The reader of the events notices the gap; the events after it are still worth having.
      if (found === null) break
      newestFirst.push(found.events)
      if (found.rowsBack === 0 || found.firstSeq <= afterSeq + 1) break
      id -= found.rowsBack
    }
    return newestFirst.toReversed().flat()
  }
  // One transaction, so that the end of the chain and the flushed part of it belong together.
  return database.transaction(read)
}

/** The events of one actor in a row; `rowsBack` leads to its row before. Null when the row has none of its events. */
const eventsIn = (row: Row, actor: number, afterSeq: number) => {
  const entries = new RowEntries(row.layout, row.body)
  const events: StoredEvent[] = []
  let first: { readonly seq: number; readonly rowsBack: number } | null = null
  while (entries.next()) {
    if (entries.actor !== actor) continue
    const { seq, rowsBack, eventCount } = entries
    first ??= { seq, rowsBack }
    if (seq + eventCount - 1 <= afterSeq) continue
    const commandId = entries.commandId()
    for (const [index, text] of entries.events().entries())
      if (seq + index > afterSeq) events.push({ seq: seq + index, commandId, data: copyOf(text) })
  }
  return first === null ? null : { events, firstSeq: first.seq, rowsBack: first.rowsBack }
}

/** A slice of a string keeps the whole string in memory, which here holds the events of many other actors. */
const copyOf = (text: string): string => ` ${text}`.slice(1)

/** The ends of chains that the writer has not flushed yet, found by reading on from the last row seen. */
class UnflushedEnds {
  readonly #until: Statement<[], { heads_until: number }>
  readonly #unflushed: Statement<[number], { id: number; layout: Buffer }>
  readonly #ends = new Map<number, number>()
  #flushedUntil = 0
  #seen = 0

  constructor(database: Database) {
    this.#until = database.prepare('SELECT heads_until FROM flushed')
    this.#unflushed = database.prepare('SELECT id, layout FROM slots WHERE id > ? ORDER BY id')
  }

  endOf(actor: number): number | undefined {
    const until = this.#until.get()?.heads_until ?? 0
    if (until !== this.#flushedUntil) {
      this.#ends.clear()
      this.#flushedUntil = until
      this.#seen = until
    }
    for (const { id, layout } of this.#unflushed.iterate(this.#seen)) {
      const entries = new RowEntries(layout, '')
      while (entries.next()) this.#ends.set(entries.actor, id)
      this.#seen = id
    }
    return this.#ends.get(actor)
  }
}
