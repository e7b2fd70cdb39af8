import type { Database, Statement } from 'better-sqlite3'
import type { StoredEvent } from '../../actors/journal-port.ts'

type ActorRow = { id: number; last_event: number | null }

/** Follows an actor's chain of events back from its end. */
export const prepareReadEvents = (database: Database) => {
  const actorRow = database.prepare<[number, string], ActorRow>(
    'SELECT id, last_event FROM actors WHERE shard = ? AND name = ?',
  )
  const chain = database.prepare<[number, number, number], StoredEvent>(
    `WITH RECURSIVE chain (seq, commandId, data, previous) AS (
       SELECT seq, command_id, data, previous FROM events WHERE id = ? AND seq > ?
       UNION ALL
       SELECT events.seq, events.command_id, events.data, events.previous
       FROM chain JOIN events ON events.id = chain.previous WHERE events.seq > ?
     )
     SELECT seq, commandId, data FROM chain`,
  )
  const ends = new RecentEnds(database)
  const read = (shard: number, actor: string, afterSeq: number): readonly StoredEvent[] => {
    const row = actorRow.get(shard, actor)
    if (row === undefined) return []
    const end = ends.endOf(row.id) ?? row.last_event
    return end === null ? [] : chain.all(end, afterSeq, afterSeq).toReversed()
  }
  // One transaction, so that the chain's end and what is flushed of it belong together.
  return database.transaction(read)
}

/** Ends of chains that the writer has not written back yet, found by reading on from the last event seen. */
class RecentEnds {
  readonly #until: Statement<[], { until_event: number }>
  readonly #recent: Statement<[number], { id: number; actor: number }>
  readonly #ends = new Map<number, number>()
  #flushedUntil = 0
  #seen = 0

  constructor(database: Database) {
    this.#until = database.prepare('SELECT until_event FROM flushed')
    this.#recent = database.prepare('SELECT id, actor FROM events WHERE id > ? ORDER BY id')
  }

  endOf(actor: number): number | undefined {
    const until = this.#until.get()?.until_event ?? 0
    if (until !== this.#flushedUntil) {
      this.#ends.clear()
      this.#flushedUntil = until
      this.#seen = until
    }
    for (const row of this.#recent.iterate(this.#seen)) {
      this.#ends.set(row.actor, row.id)
      this.#seen = row.id
    }
    return this.#ends.get(actor)
  }
}
