import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { shardOf } from '../../domain/references.ts'
import type { JournalReads } from '../store-port.ts'
import { DatabaseThread } from './database-thread.ts'
import type { ReadOperations } from './read-operations.ts'

export type SqliteReader = DatabaseThread<ReadOperations>

export const journalFile = (folder: string): string => join(folder, 'journal.db')

export const openReader = (folder: string): Promise<SqliteReader> =>
  DatabaseThread.open(new URL('reader-thread.ts', import.meta.url), journalFile(folder))

/** The reading half of the engine, which can also be opened beside a running service. */
export class SqliteJournalReads implements JournalReads {
  readonly reader: SqliteReader

  constructor(reader: SqliteReader) {
    this.reader = reader
  }

  static async openReads(folder: string): Promise<SqliteJournalReads> {
    if (!existsSync(journalFile(folder))) throw new Error(`There is no journal in the data folder ${folder}.`)
    return new SqliteJournalReads(await openReader(folder))
  }

  readonly readLog: JournalReads['readLog'] = (...args) => this.reader.call('readLog', ...args)
  readonly readCheckpoint: JournalReads['readCheckpoint'] = (shard) =>
    this.reader.call('readCheckpoint', shard)
  readonly firstSegment: JournalReads['firstSegment'] = (shard) => this.reader.call('firstSegment', shard)
  readonly timersDue: JournalReads['timersDue'] = (...args) => this.reader.call('timersDue', ...args)
  readonly listActors: JournalReads['listActors'] = (...args) => this.reader.call('listActors', ...args)
  readonly readPosition: JournalReads['readPosition'] = (...args) => this.reader.call('readPosition', ...args)
  readonly readEvents: JournalReads['readEvents'] = (actor, afterSeq) =>
    this.reader.call('readEvents', shardOfActor(actor), actor, afterSeq)
  readonly readSnapshot: JournalReads['readSnapshot'] = (actor) =>
    this.reader.call('readSnapshot', shardOfActor(actor), actor)

  async [Symbol.asyncDispose](): Promise<void> {
    await this.reader[Symbol.asyncDispose]()
  }
}

export const shardOfActor = (actor: string): number => {
  const shard = shardOf(actor)
  if (shard === null) throw new RangeError(`not the id of an actor: ${actor}`)
  return shard
}
