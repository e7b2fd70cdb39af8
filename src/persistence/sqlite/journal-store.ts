import { mkdirSync } from 'node:fs'
import type { AppendOutcome, JournalStore, LogSlot } from '../store-port.ts'
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

  readonly writeCheckpoint: JournalStore['writeCheckpoint'] = (...args) =>
    this.writer.call('writeCheckpoint', ...args)
  readonly retireSegment: JournalStore['retireSegment'] = (...args) =>
    this.writer.call('retireSegment', ...args)
  readonly timersDone: JournalStore['timersDone'] = (...args) => this.writer.call('timersDone', ...args)
  readonly timerMoved: JournalStore['timerMoved'] = (...args) => this.writer.call('timerMoved', ...args)
  readonly savePosition: JournalStore['savePosition'] = (...args) => this.writer.call('savePosition', ...args)
  readonly writeSnapshot: JournalStore['writeSnapshot'] = (actor, snapshot) =>
    this.writer.call('writeSnapshot', shardOfActor(actor), actor, snapshot)
  readonly readActor: JournalStore['readActor'] = (actor) =>
    this.reader.call('readActor', shardOfActor(actor), actor)

  /** Through the writing thread, so that a disk that hangs fails the probe. */
  probe(): Promise<void> {
    return this.writer.call('probe')
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    // The writer goes last, because the last connection to close moves the WAL into the main file.
    await super[Symbol.asyncDispose]()
    await this.writer[Symbol.asyncDispose]()
  }
}
