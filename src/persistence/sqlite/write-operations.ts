import type { Database } from 'better-sqlite3'
import type { StoredSnapshot, TailPosition, TimerRow } from '../../actors/journal-port.ts'
import { type Checkpoint, SEGMENT_SLOTS } from '../store-port.ts'
import { ActorIds } from './actor-ids.ts'
import { Appends } from './appends.ts'
import type { PackedSlot } from './packed-slot.ts'

export type WriteOperations = ReturnType<typeof prepareWrites>

/** What the writing thread can do; each runs inside the transaction of its group. */
export const prepareWrites = (database: Database) => {
  const actors = new ActorIds(database)
  const appends = new Appends(database, actors)
  const saveSnapshot = database.prepare(
    `INSERT INTO snapshots (actor, seq, data) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET seq = excluded.seq, data = excluded.data WHERE excluded.seq > seq`,
  )
  const saveCheckpoint = database.prepare(
    `INSERT INTO shards (shard, epoch, copied_no, published_no, projected_no, timer_ack_ms)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET
       epoch = excluded.epoch,
       copied_no = max(ifnull(copied_no, excluded.copied_no), excluded.copied_no),
       published_no = max(ifnull(published_no, excluded.published_no), excluded.published_no),
       projected_no = max(ifnull(projected_no, excluded.projected_no), excluded.projected_no),
       timer_ack_ms = max(ifnull(timer_ack_ms, excluded.timer_ack_ms), excluded.timer_ack_ms)
     WHERE ifnull(epoch, 0) <= excluded.epoch`,
  )
  const retire = database.prepare(
    `INSERT INTO shards (shard, first_segment) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET first_segment = max(first_segment, excluded.first_segment)`,
  )
  const deleteSlots = database.prepare('DELETE FROM slots WHERE shard = ? AND no < ?')
  const insertTimer = database.prepare(
    'INSERT INTO timers (shard, due_ms, actor, timer_id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const deleteTimer = database.prepare(
    'DELETE FROM timers WHERE shard = ? AND due_ms = ? AND actor = ? AND timer_id = ?',
  )
  const savePosition = database.prepare(
    `INSERT INTO positions (reader, shard, no, entry) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET no = excluded.no, entry = excluded.entry`,
  )
  const putBody = database.prepare('INSERT OR REPLACE INTO bodies (id, expires_ms, body) VALUES (?, ?, ?)')
  const deleteBody = database.prepare('DELETE FROM bodies WHERE id = ?')
  const deleteExpired = database.prepare(
    'DELETE FROM bodies WHERE id IN (SELECT id FROM bodies WHERE expires_ms <= ? LIMIT ?)',
  )
  const timersDone = (shard: number, rows: readonly TimerRow[]): void => {
    for (const row of rows) deleteTimer.run(shard, row.dueMs, row.actor, row.timerId)
  }

  return {
    append: (slot: PackedSlot) => appends.append(slot),
    writeSnapshot: (shard: number, actor: string, { seq, data }: StoredSnapshot): void => {
      saveSnapshot.run(actors.findOrCreate(shard, actor), seq, data)
    },
    writeCheckpoint: (shard: number, epoch: number, checkpoint: Checkpoint): void => {
      const { copiedNo, publishedNo, projectedNo, timerAckMs } = checkpoint
      saveCheckpoint.run(shard, epoch, copiedNo, publishedNo, projectedNo, timerAckMs)
    },
    retireSegment: (shard: number, segment: number): void => {
      retire.run(shard, segment + 1)
      deleteSlots.run(shard, (segment + 1) * SEGMENT_SLOTS)
      appends.forget()
    },
    timersDone,
    timerMoved: (shard: number, from: TimerRow, to: TimerRow): void => {
      timersDone(shard, [from])
      insertTimer.run(shard, to.dueMs, to.actor, to.timerId)
    },
    savePosition: (reader: string, shard: number, { no, index }: TailPosition): void => {
      savePosition.run(reader, shard, no, index)
    },
    putBody: (id: string, body: Uint8Array, expiresAtMs: number): void => {
      putBody.run(id, Math.floor(expiresAtMs), body)
    },
    deleteBody: (id: string): void => {
      deleteBody.run(id)
    },
    /** How many were deleted; a full `limit` means there may be more. */
    deleteExpiredBodies: (nowMs: number, limit: number): number => deleteExpired.run(nowMs, limit).changes,
    probe: (): void => {},
    /** Not called by message: the thread calls it after a rollback. */
    forget: (): void => {
      actors.forget()
      appends.forget()
    },
  }
}
