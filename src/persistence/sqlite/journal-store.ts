import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JournalReads, JournalStore } from '../store-port.ts'
import { DatabaseThread } from './database-thread.ts'
import type { ReadOperations } from './read-operations.ts'
import { keepMoved, type KeptMoved, type Mover } from './log-mover/keep-moved.ts'
import type { MoverOperations } from './log-mover/log-mover.ts'
import { SEGMENT_SLOTS } from './slot-file/segments.ts'
import { keepSwept } from './sweeping.ts'
import type { WriteOperations } from './write-operations.ts'

type Reader = DatabaseThread<ReadOperations>
type Writer = DatabaseThread<WriteOperations>

/** The embedded engine: one file, a thread that writes, one that reads, and one that moves what is written ahead. */
export type SqliteJournalStore = JournalStore & { readonly writer: Writer; readonly reader: Reader }

export const openSqliteStore = async (
  folder: string,
  settings: { readonly lingerMs?: number } = {},
): Promise<SqliteJournalStore> => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const script = new URL('writer-thread.ts', import.meta.url)
  const moving = keepMoved(() => openMover(folder))
  const writer: Writer = await DatabaseThread.open(script, journalFile(folder), {
    ...settings,
    logIsLong: moving.isLong,
  })
  try {
    return storeOf({ moving, writer, reader: await openReader(folder) })
  } catch (error) {
    await writer[Symbol.asyncDispose]()
    throw error
  }
}

/** The reading half of the engine, which can also be opened beside a running service. */
export const openSqliteReads = async (folder: string): Promise<JournalReads> => {
  const reader = await openExistingReader(folder)
  if (reader === null) throw new Error(`There is no journal in the data folder ${folder}.`)
  return readsOf(reader)
}

export const openExistingReader = async (folder: string): Promise<Reader | null> =>
  existsSync(journalFile(folder)) ? await openReader(folder) : null

const journalFile = (folder: string): string => join(folder, 'journal.db')

export const openReader = (folder: string): Promise<Reader> =>
  DatabaseThread.open(new URL('reader-thread.ts', import.meta.url), journalFile(folder))

const openMover = async (folder: string): Promise<Mover> => {
  const script = new URL('log-mover/log-mover-thread.ts', import.meta.url)
  const thread = await DatabaseThread.open<MoverOperations>(script, journalFile(folder))
  return { move: () => thread.call('move'), [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose]() }
}

const readsOf = (reader: Reader): JournalReads => ({
  ...reader.functions('readLog', 'readEvents', 'readSnapshot', 'readCheckpoint', 'firstSegment'),
  ...reader.functions('timersDue', 'listActors', 'readPosition', 'sizes'),
  segmentSlots: SEGMENT_SLOTS,
  [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
})

type Threads = { readonly moving: KeptMoved; readonly writer: Writer; readonly reader: Reader }

const storeOf = ({ moving, writer, reader }: Threads): SqliteJournalStore => {
  const sweeping = keepSwept((rowsMax) => writer.call('sweep', rowsMax, false))
  return {
    ...readsOf(reader),
    ...reader.functions('readActor'),
    ...writer.laterFunctions('writeSnapshot', 'forget', 'writeCheckpoint', 'retireSegment', 'savePosition'),
    ...writer.laterFunctions('timersDone', 'timerMoved'),
    // The probe goes through the writing thread, so that a disk that hangs fails it.
    ...writer.functions('probe'),
    writer,
    reader,
    copies: 'atomic',
    append: (slot) => writer.append(slot),
    // Appending wrote the actors' events and timers already.
    copy: async () => {},
    [Symbol.asyncDispose]: async () => {
      sweeping[Symbol.dispose]()
      // The writer goes last, because the last connection to close moves the WAL into the main file.
      await moving[Symbol.asyncDispose]()
      await reader[Symbol.asyncDispose]()
      await writer[Symbol.asyncDispose]()
    },
  }
}
