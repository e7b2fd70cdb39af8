import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredEvent, StoredSnapshot, TailPosition, TimerRow } from '../../actors/journal-port.ts'
import { shardOf } from '../../domain/shards.ts'
import type { AppendOutcome, Checkpoint, JournalStore, LogSlot } from '../store-port.ts'
import { DatabaseThread } from './database-thread.ts'
import { packSlot } from './packed-slot.ts'
import type { ReadOperations } from './read-operations.ts'
import type { WriteOperations } from './write-operations.ts'

export type SqliteWriter = DatabaseThread<WriteOperations>
export type SqliteReader = DatabaseThread<ReadOperations>

/** The embedded engine: one file, a thread that writes and a thread that reads. */
export class SqliteJournalStore implements JournalStore {
  readonly copies = 'atomic'
  readonly writer: SqliteWriter
  readonly reader: SqliteReader

  private constructor(writer: SqliteWriter, reader: SqliteReader) {
    this.writer = writer
    this.reader = reader
  }

  static async open(folder: string): Promise<SqliteJournalStore> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, 'journal.db')
    const writer: SqliteWriter = await DatabaseThread.open(new URL('writer-thread.ts', import.meta.url), file)
    try {
      return new SqliteJournalStore(
        writer,
        await DatabaseThread.open(new URL('reader-thread.ts', import.meta.url), file),
      )
    } catch (error) {
      await writer[Symbol.asyncDispose]()
      throw error
    }
  }

  append(slot: LogSlot): Promise<AppendOutcome> {
    return this.writer.call('append', packSlot(slot))
  }

  readLog(shard: number, fromNo: number, limit: number): Promise<readonly LogSlot[]> {
    return this.reader.call('readLog', shard, fromNo, limit)
  }

  /** Appending wrote the actors' events and timers already. */
  async copy(): Promise<void> {}

  readEvents(actor: string, afterSeq: number): Promise<readonly StoredEvent[]> {
    return this.reader.call('readEvents', shardOfActor(actor), actor, afterSeq)
  }

  readSnapshot(actor: string): Promise<StoredSnapshot | null> {
    return this.reader.call('readSnapshot', shardOfActor(actor), actor)
  }

  writeSnapshot(actor: string, snapshot: StoredSnapshot): Promise<void> {
    return this.writer.call('writeSnapshot', shardOfActor(actor), actor, snapshot)
  }

  readCheckpoint(shard: number): Promise<Checkpoint | null> {
    return this.reader.call('readCheckpoint', shard)
  }

  writeCheckpoint(shard: number, epoch: number, checkpoint: Checkpoint): Promise<void> {
    return this.writer.call('writeCheckpoint', shard, epoch, checkpoint)
  }

  retireSegment(shard: number, segment: number): Promise<void> {
    return this.writer.call('retireSegment', shard, segment)
  }

  firstSegment(shard: number): Promise<number> {
    return this.reader.call('firstSegment', shard)
  }

  timersDue(
    shard: number,
    fromMs: number,
    untilMs: number,
    after: TimerRow | null,
    limit: number,
  ): Promise<readonly TimerRow[]> {
    return this.reader.call('timersDue', shard, fromMs, untilMs, after, limit)
  }

  timersDone(shard: number, rows: readonly TimerRow[], atNo: number): Promise<void> {
    return this.writer.call('timersDone', shard, rows, atNo)
  }

  timerMoved(shard: number, from: TimerRow, to: TimerRow, atNo: number): Promise<void> {
    return this.writer.call('timerMoved', shard, from, to, atNo)
  }

  listActors(shard: number, after: string | null, limit: number): Promise<readonly string[]> {
    return this.reader.call('listActors', shard, after, limit)
  }

  savePosition(reader: string, shard: number, position: TailPosition): Promise<void> {
    return this.writer.call('savePosition', reader, shard, position)
  }

  readPosition(reader: string, shard: number): Promise<TailPosition | null> {
    return this.reader.call('readPosition', reader, shard)
  }

  /** Through the writing thread: a disk that hangs shows here. */
  probe(): Promise<void> {
    return this.writer.call('probe')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The writer goes last, because the last connection to close moves the WAL into the main file.
    await this.reader[Symbol.asyncDispose]()
    await this.writer[Symbol.asyncDispose]()
  }
}

const shardOfActor = (actor: string): number => {
  const shard = shardOf(actor)
  if (shard === null) throw new RangeError(`not the id of an actor: ${actor}`)
  return shard
}
