import type { Database } from 'better-sqlite3'
import { GroupTransactions } from '../../sqlite/group-transactions.ts'
import {
  type GroupAnswer,
  type GroupRequest,
  runCall,
  type ThreadCall,
} from '../../sqlite/thread-messages.ts'
import { openKeyFile } from './key-file.ts'
import {
  type KeyOperations,
  leavesOldBytes,
  onlyReads,
  prepareKeyOperations,
  wantsCleanLog,
} from './key-operations.ts'

const FILE = 'key file'
/** So long erasures share the cleaning of the log, which costs each of them three syncs otherwise. */
const CLEAN_AFTER_MS = 2_000

/** The key file in its own thread: a group of calls is one transaction, so many creations share one fsync. */
export const openKeyFileServer = (file: string, openFile = openKeyFile) => {
  const log = new OldBytes()
  const transactions = new GroupTransactions<KeyOperations, ThreadCall>({
    file: FILE,
    open: () => {
      const database = openFile(file)
      // A process that was killed may have left some.
      log.left(database)
      return database
    },
    prepare: prepareKeyOperations,
    itemsOf: ({ calls }) => calls,
    onlyRead: (calls) => calls.every(([method]) => onlyReads(method)),
    run: runCall,
    beforeCommit: (operations) => operations.beforeCommit(),
    committed: (database, calls) => cleanedFor(log, database, calls),
  })
  return {
    run: (group: GroupRequest): GroupAnswer => transactions.run(group),
    close: (): void => {
      log.close()
      transactions.close()
    },
  }
}

/** All calls are committed; who asks for a clean log has it only when it has none of the old bytes either. */
const cleanedFor = (
  log: OldBytes,
  database: Database,
  calls: readonly ThreadCall[],
): GroupAnswer['failures'] => {
  if (calls.some(([method]) => leavesOldBytes(method))) log.left(database)
  const waiting = [...calls.keys()].filter((index) => wantsCleanLog(calls[index]?.[0] ?? ''))
  if (waiting.length === 0) return []
  try {
    log.clean()
    return []
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return waiting.map((index) => [index, { is: 'unknown', message: `${FILE}: ${reason}` }])
  }
}

/** Pages in the write-ahead log as they were before an erasure: they go soon, or when somebody waits for it. */
class OldBytes {
  #database: Database | null = null
  #timer: NodeJS.Timeout | null = null

  left(database: Database): void {
    this.#database = database
    this.#timer ??= setTimeout(() => this.#cleanInTime(), CLEAN_AFTER_MS).unref()
  }

  clean(): void {
    if (this.#database !== null) emptyLog(this.#database)
    this.close()
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#database = null
  }

  #cleanInTime(): void {
    this.#timer = null
    const database = this.#database
    try {
      this.clean()
    } catch {
      // Another process has the file, or the disk is full: once more, unless the file is opened anew.
      if (database !== null) this.left(database)
    }
  }
}

/**
 * Moves the log into the file and cuts it to nothing: it holds the pages as they were before. Another process that uses
 * the file is not waited for, as everybody who makes a key would wait too.
 */
const emptyLog = (database: Database): void => {
  const timeout = Number(database.pragma('busy_timeout', { simple: true }))
  database.pragma('busy_timeout = 0')
  try {
    const [result] = database.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
    if (result.busy !== 0) throw new Error('another process is using it, so its log could not be emptied')
  } finally {
    database.pragma(`busy_timeout = ${timeout}`)
  }
}
