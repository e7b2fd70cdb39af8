import { mkdirSync } from 'node:fs'
import type { StoredActor, StoredSnapshot, TailPosition, TimerRow } from '../../ports/journal.ts'
import type { AppendOutcome, Checkpoint, JournalStore, LogSlot } from '../store-port.ts'
import { DatabaseThread } from './database-thread.ts'
import {
  journalFile,
  openReader,
  shardOfActor,
  SqliteJournalReads,
  type SqliteReader,
} from './journal-reads.ts'
import type { WriteOperations } from './write-operations.ts'

export type SqliteWriter = DatabaseThread<WriteOperations>

/** The embedded engine: one file, a thread that writes and a thread that reads. */
export class SqliteJournalStore extends SqliteJournalReads implements JournalStore {
  readonly copies = 'atomic'
  readonly writer: SqliteWriter

  private constructor(writer: SqliteWriter, reader: SqliteReader) {
    super(reader)
    this.writer = writer
  }

  static async open(folder: string): Promise<SqliteJournalStore> {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const script = new URL('writer-thread.ts', import.meta.url)
    const writer: SqliteWriter = await DatabaseThread.open(script, journalFile(folder))
    try {
      return new SqliteJournalStore(writer, await openReader(folder))
    } catch (error) {
      await writer[Symbol.asyncDispose]()
      throw error
    }
  }

  append(slot: LogSlot): Promise<AppendOutcome> {
    return this.writer.append(slot)
  }

  /** Appending wrote the actors' events and timers already. */
  async copy(): Promise<void> {}

  writeSnapshot(actor: string, snapshot: StoredSnapshot): Promise<void> {
    return this.writer.call('writeSnapshot', shardOfActor(actor), actor, snapshot)
  }

  writeCheckpoint(shard: number, epoch: number, checkpoint: Checkpoint): Promise<void> {
    return this.writer.call('writeCheckpoint', shard, epoch, checkpoint)
  }

  retireSegment(shard: number, segment: number): Promise<void> {
    return this.writer.call('retireSegment', shard, segment)
  }

  timersDone(shard: number, rows: readonly TimerRow[], atNo: number): Promise<void> {
    return this.writer.call('timersDone', shard, rows, atNo)
  }

  timerMoved(shard: number, from: TimerRow, to: TimerRow, atNo: number): Promise<void> {
    return this.writer.call('timerMoved', shard, from, to, atNo)
  }

  readActor(actor: string): Promise<StoredActor> {
    return this.reader.call('readActor', shardOfActor(actor), actor)
  }

  savePosition(reader: string, shard: number, position: TailPosition): Promise<void> {
    return this.writer.call('savePosition', reader, shard, position)
  }

  /** Through the writing thread: a disk that hangs shows here. */
  probe(): Promise<void> {
    return this.writer.call('probe')
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    // The writer goes last, because the last connection to close moves the WAL into the main file.
    await super[Symbol.asyncDispose]()
    await this.writer[Symbol.asyncDispose]()
  }
}
