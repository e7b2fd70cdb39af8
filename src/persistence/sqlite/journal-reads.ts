import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StoredEvent, StoredSnapshot, TailPosition, TimerRow } from '../../ports/journal.ts'
import { shardOf } from '../../domain/shards.ts'
import type { Checkpoint, JournalReads, LogSlot } from '../store-port.ts'
import { DatabaseThread } from './database-thread.ts'
import type { ReadOperations } from './read-operations.ts'

export type SqliteReader = DatabaseThread<ReadOperations>

export const journalFile = (folder: string): string => join(folder, 'journal.db')

export const openReader = (folder: string): Promise<SqliteReader> =>
  DatabaseThread.open(new URL('reader-thread.ts', import.meta.url), journalFile(folder))

/** The reading half of the engine; alone it may stand beside a running service. */
export class SqliteJournalReads implements JournalReads {
  readonly reader: SqliteReader

  constructor(reader: SqliteReader) {
    this.reader = reader
  }

  static async openReads(folder: string): Promise<SqliteJournalReads> {
    if (!existsSync(journalFile(folder))) throw new Error(`There is no journal in the data folder ${folder}.`)
    return new SqliteJournalReads(await openReader(folder))
  }

  readLog(shard: number, fromNo: number, limit: number): Promise<readonly LogSlot[]> {
    return this.reader.call('readLog', shard, fromNo, limit)
  }

  readEvents(actor: string, afterSeq: number): Promise<readonly StoredEvent[]> {
    return this.reader.call('readEvents', shardOfActor(actor), actor, afterSeq)
  }

  readSnapshot(actor: string): Promise<StoredSnapshot | null> {
    return this.reader.call('readSnapshot', shardOfActor(actor), actor)
  }

  readCheckpoint(shard: number): Promise<Checkpoint | null> {
    return this.reader.call('readCheckpoint', shard)
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

  listActors(shard: number, after: string | null, limit: number): Promise<readonly string[]> {
    return this.reader.call('listActors', shard, after, limit)
  }

  readPosition(reader: string, shard: number): Promise<TailPosition | null> {
    return this.reader.call('readPosition', reader, shard)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reader[Symbol.asyncDispose]()
  }
}

export const shardOfActor = (actor: string): number => {
  const shard = shardOf(actor)
  if (shard === null) throw new RangeError(`not the id of an actor: ${actor}`)
  return shard
}
