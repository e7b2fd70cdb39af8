import type { Database } from 'better-sqlite3'
import type { StoredSnapshot, TailPosition, TimerRow } from '../../ports/journal.ts'
import { shardOfActor } from '../../domain/references.ts'
import { type Checkpoint, SEGMENT_SLOTS } from '../store-port.ts'
import { prepareKeyStoreWrite } from './key-store-row.ts'
import { ActorHeads } from './slot-file/actor-heads.ts'
import { Appends } from './slot-file/appends.ts'
import type { PackedSlot } from './slot-file/packed-slots.ts'
import { SlotIndex } from './slot-file/slot-index.ts'
import { TimerTable } from './timer-table.ts'

export type WriteOperations = ReturnType<typeof prepareWrites>

/** The operations of the writing thread; each runs inside the transaction of its group. */
export const prepareWrites = (database: Database) => {
  const heads = new ActorHeads(database)
  const timers = new TimerTable(database)
  const slotIndex = new SlotIndex(database)
  const appends = new Appends(database, heads, slotIndex, timers)
  const shards = prepareShardWrites(database)
  const saveSnapshot = database.prepare(
    `INSERT INTO snapshots (actor, seq, data) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET seq = excluded.seq, data = excluded.data WHERE excluded.seq > seq`,
  )
  const savePosition = database.prepare(
    `INSERT INTO positions (reader, shard, no, entry) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET no = excluded.no, entry = excluded.entry
     WHERE (excluded.no, excluded.entry) > (no, entry)`,
  )

  return {
    append: (slot: PackedSlot) => appends.append(slot),
    writeSnapshot: (actor: string, { seq, data }: StoredSnapshot): void => {
      saveSnapshot.run(heads.findOrCreate(shardOfActor(actor), actor), seq, data)
    },
    writeCheckpoint: shards.writeCheckpoint,
    retireSegment: (shard: number, segment: number): void => {
      slotIndex.flush()
      shards.retireSegment(shard, segment)
      appends.forget()
    },
    timersDone: (shard: number, rows: readonly TimerRow[], atNo: number): void => {
      timers.remove(shard, rows, atNo)
    },
    timerMoved: (shard: number, from: TimerRow, to: TimerRow, atNo: number): void => {
      timers.remove(shard, [from], atNo)
      timers.add(shard, [to], atNo)
    },
    savePosition: (reader: string, shard: number, { no, index }: TailPosition): void => {
      savePosition.run(reader, shard, no, index)
    },
    recordKeyStore: prepareKeyStoreWrite(database),
    probe: (): void => {},
    /** The thread itself calls these two; they are not reached by messages. */
    beforeCommit: (): void => {
      heads.flushWhenDue()
      slotIndex.flushWhenDue()
    },
    afterRollback: (): void => {
      heads.reload()
      slotIndex.reload()
      appends.forget()
    },
  }
}

const prepareShardWrites = (database: Database) => {
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
  const deleteIndex = database.prepare('DELETE FROM slot_index WHERE shard = ? AND no < ?')
  return {
    writeCheckpoint: (shard: number, epoch: number, checkpoint: Checkpoint): void => {
      const { copiedNo, publishedNo, projectedNo, timerAckMs } = checkpoint
      saveCheckpoint.run(shard, epoch, copiedNo, publishedNo, projectedNo, timerAckMs)
    },
    /**
     * Takes the slots of a segment out of the log. Their rows stay, because they are the only place of their actors'
     * events.
     */
    retireSegment: (shard: number, segment: number): void => {
      retire.run(shard, segment + 1)
      deleteIndex.run(shard, (segment + 1) * SEGMENT_SLOTS)
    },
  }
}
