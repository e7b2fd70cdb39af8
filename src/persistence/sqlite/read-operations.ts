import type { Database } from 'better-sqlite3'
import type { StoredActor, StoredSnapshot, TailPosition, TimerRow } from '../../ports/journal.ts'
import { shardOfActor } from '../../domain/references.ts'
import type { Checkpoint } from '../store-port.ts'
import { prepareKeyStoreRead } from './key-store-row.ts'
import { prepareReadEvents } from './read-events.ts'
import { prepareLastNo, UnindexedSlots } from './slot-file/locate-slots.ts'
import { prepareReadLog } from './read-log.ts'
import { prepareSizes } from './sizes.ts'

type ShardRow = {
  copied_no: number | null
  published_no: number | null
  projected_no: number | null
  timer_ack_ms: number | null
}

export type ReadOperations = ReturnType<typeof prepareReads>

/** The operations of the reading thread, which has its own connection so that a long read never holds up a commit. */
export const prepareReads = (database: Database) => {
  const recent = new UnindexedSlots(database)
  const actorId = database.prepare<[number, string], { id: number }>(
    'SELECT id FROM actors WHERE shard = ? AND name = ?',
  )
  const snapshotRow = database.prepare<[number], StoredSnapshot>(
    'SELECT seq, data FROM snapshots WHERE actor = ?',
  )
  const firstSegment = database
    .prepare<[number], number>('SELECT first_segment FROM shards WHERE shard = ?')
    .pluck()
  const timersDue = database.prepare<unknown[], TimerRow>(
    `SELECT actor, timer_id AS timerId, due_ms AS dueMs FROM timers
     WHERE shard = ? AND due_ms < ? AND (due_ms, actor, timer_id) > (?, ?, ?)
     ORDER BY due_ms, actor, timer_id LIMIT ?`,
  )
  const actors = database.prepare<[number, string, number], { name: string }>(
    'SELECT name FROM actors WHERE shard = ? AND name > ? ORDER BY name LIMIT ?',
  )
  const position = database.prepare<[string, number], TailPosition>(
    'SELECT no, entry AS "index" FROM positions WHERE reader = ? AND shard = ?',
  )

  const readEvents = prepareReadEvents(database)
  const readSnapshot = (actor: string): StoredSnapshot | null => {
    const row = actorId.get(shardOfActor(actor), actor)
    return row === undefined ? null : (snapshotRow.get(row.id) ?? null)
  }

  return {
    readLog: prepareReadLog(database, recent),
    readEvents,
    readSnapshot,
    readActor: (actor: string): StoredActor => {
      const snapshot = readSnapshot(actor)
      return { snapshot, events: readEvents(actor, snapshot?.seq ?? 0) }
    },
    readCheckpoint: prepareReadCheckpoint(database, recent),
    firstSegment: (shard: number): number => firstSegment.get(shard) ?? 0,
    timersDue: (
      shard: number,
      fromMs: number,
      untilMs: number,
      after: TimerRow | null,
      limit: number,
    ): readonly TimerRow[] => {
      const from = after ?? { dueMs: fromMs, actor: '', timerId: '' }
      return timersDue.all(shard, untilMs, from.dueMs, from.actor, from.timerId, limit)
    },
    listActors: (shard: number, after: string | null, limit: number): readonly string[] =>
      actors.all(shard, after ?? '', limit).map((row) => row.name),
    readPosition: (reader: string, shard: number): TailPosition | null => position.get(reader, shard) ?? null,
    sizes: prepareSizes(database),
    readKeyStore: prepareKeyStoreRead(database),
  }
}

const prepareReadCheckpoint = (database: Database, recent: UnindexedSlots) => {
  const shardRow = database.prepare<[number], ShardRow>('SELECT * FROM shards WHERE shard = ?')
  const lastNo = prepareLastNo(database, recent)
  return (shard: number): Checkpoint | null => {
    const row = shardRow.get(shard)
    const last = lastNo(shard)
    const written = row?.copied_no ?? null
    if (written === null && last === null) return null
    return {
      // Appending copies in the same transaction, so a takeover has nothing to replay, whatever was written here.
      copiedNo: Math.max(written ?? -1, last ?? -1),
      publishedNo: row?.published_no ?? -1,
      projectedNo: row?.projected_no ?? -1,
      timerAckMs: row?.timer_ack_ms ?? 0,
    }
  }
}
