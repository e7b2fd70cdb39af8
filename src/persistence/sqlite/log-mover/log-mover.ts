import type { Database } from 'better-sqlite3'
import { openForWriting } from '../database.ts'
import { describeFailure, needsReopening } from '../sqlite-failure.ts'
import type { GroupAnswer, GroupRequest } from '../thread-messages.ts'
import { logState, moveLog } from './log-state.ts'

/** 16 MB. The writer begins at 32 itself, where this thread does not keep up. */
const PAGES_TO_MOVE = 1_000
/** What the writer moves beside a commit: a page costs it some microseconds, all of them together a sync. */
const REST_PAGES = 200
const PAGES_BETWEEN = 500

export type MoverOperations = { readonly move: () => void }

/**
 * Copies the write-ahead log into the file from a thread of its own. SQLite would do it in the commit that finds the log
 * long, which then takes ten to twenty milliseconds, for everybody who waits for it.
 */
export class LogMover {
  readonly #open: () => Database
  #database: Database | null

  constructor(file: string, openFile = openForWriting) {
    this.#open = () => openFile(file)
    this.#database = this.#open()
  }

  run({ calls }: GroupRequest): GroupAnswer {
    try {
      this.#database ??= this.#open()
      if (logState(this.#database).unmoved >= PAGES_TO_MOVE) moveLog(this.#database)
      return { values: [], failures: [] }
    } catch (error) {
      if (needsReopening(error)) this.close()
      const failure = describeFailure('journal file', error, 'running')
      return { values: [], failures: calls.map((_, index) => [index, failure]) }
    }
  }

  close(): void {
    const database = this.#database
    this.#database = null
    database?.close()
  }
}

/**
 * The log is written from its beginning again only when all of it has been moved at a moment without a commit, and only
 * the writer knows such moments: it moves the few pages that were written beside the move. While somebody reads what
 * stands in the log it goes on growing all the same; then this is tried again when it has grown by much. True when so
 * much is to be moved that the mover has something to do.
 */
export const restMover = (): ((database: Database) => boolean) => {
  let triedAt = 0
  return (database) => {
    const { pages, unmoved } = logState(database)
    if (pages < triedAt) triedAt = 0
    if (unmoved >= PAGES_TO_MOVE) return true
    if (pages < Math.max(PAGES_TO_MOVE, triedAt + PAGES_BETWEEN)) return false
    if (unmoved === 0 || unmoved > REST_PAGES) return false
    triedAt = pages
    moveLog(database)
    return false
  }
}
