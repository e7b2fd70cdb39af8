import type { Database } from 'better-sqlite3'
import type { StoredSnapshot, TailPosition, TimerRow } from '../../ports/journal.ts'
import { shardOfActor } from '../../domain/references.ts'
import type { Checkpoint, Forgettable } from '../store-port.ts'
import { prepareKeyStoreWrite } from './key-store-row.ts'
import { ActorHeads } from './slot-file/actor-heads.ts'
import { Appends } from './slot-file/appends.ts'
import type { PackedSlot } from './slot-file/packed-slots.ts'
import { SEGMENT_SLOTS } from './slot-file/segments.ts'
import { SlotIndex } from './slot-file/slot-index.ts'
import { Sweep } from './slot-file/sweep.ts'
import { TimerTable } from './timer-table.ts'

export type WriteOperations = ReturnType<typeof prepareWrites>

/** The operations of the writing thread; each runs inside the transaction of its group. */
export const prepareWrites = (database: Database) => {
  const heads = new ActorHeads(database)
  const timers = new TimerTable(database)
  const slotIndex = new SlotIndex(database)
  const appends = new Appends(database, heads, slotIndex, timers)
  const sweep = new Sweep(
    database,
    (shard) => appends.firstKeptNo(shard),
    (shard, no) => slotIndex.find(shard, no),
  )
  const shards = prepareShardWrites(database)
  const savePosition = database.prepare(
    `INSERT INTO positions (reader, shard, no, entry) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET no = excluded.no, entry = excluded.entry
     WHERE (excluded.no, excluded.entry) > (no, entry)`,
  )

  return {
    append: (slot: PackedSlot) => appends.append(slot),
    ...prepareSnapshotWrites(database, heads, sweep),
    /** True when there is more to do. `atOnce`: however little can go. */
    sweep: (rowsMax: number, atOnce: boolean): boolean => sweep.step(rowsMax, atOnce),
    writeCheckpoint: shards.writeCheckpoint,
    /** Takes the slots of a segment out of the log. What their actors still need of their rows stays. */
    retireSegment: (shard: number, segment: number): void => {
      shards.retireSegment(shard, segment)
      slotIndex.retire(shard, (segment + 1) * SEGMENT_SLOTS)
      appends.forget()
      sweep.retired(shard)
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
      sweep.beforeCommit()
    },
    afterRollback: (): void => {
      heads.reload()
      slotIndex.reload()
      appends.forget()
      sweep.restart()
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
  return {
    writeCheckpoint: (shard: number, epoch: number, checkpoint: Checkpoint): void => {
      const { copiedNo, publishedNo, projectedNo, timerAckMs } = checkpoint
      saveCheckpoint.run(shard, epoch, copiedNo, publishedNo, projectedNo, timerAckMs)
    },
    retireSegment: (shard: number, segment: number): void => {
      retire.run(shard, segment + 1)
    },
  }
}

const prepareSnapshotWrites = (database: Database, heads: ActorHeads, sweep: Sweep) => {
  const save = database.prepare(
    `INSERT INTO snapshots (actor, seq, data) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET seq = excluded.seq, data = excluded.data WHERE excluded.seq > seq`,
  )
  const remove = database.prepare('DELETE FROM snapshots WHERE actor = ?')
  return {
    writeSnapshot: (actor: string, { seq, data }: StoredSnapshot, _atNo: number): void => {
      save.run(heads.findOrCreate(shardOfActor(actor), actor), seq, data)
    },
    forget: (shard: number, actors: readonly Forgettable[]): void => {
      for (const { actor, seq, data } of actors) {
        const folded = data === null ? heads.remove(shard, actor) : heads.fold(shard, actor, seq)
        if (folded === null) continue
        if (data === null) remove.run(folded.id)
        else if (data !== undefined) save.run(folded.id, seq, data)
        sweep.forgotten(shard, folded.events, folded.lastRow)
      }
    },
  }
}
