import type { Database } from 'better-sqlite3'
import { GroupTransactions } from '../../sqlite/group-transactions.ts'
import { type GroupAnswer, runCall, type ThreadCall } from '../../sqlite/thread-messages.ts'
import { openKeyFile } from './key-file.ts'
import { type KeyOperations, leavesOldBytes, onlyReads, prepareKeyOperations } from './key-operations.ts'

const FILE = 'key file'
/** Each try waits for the other process (a running rotation) itself, as long as the file's busy timeout. */
const CHECKPOINT_ATTEMPTS = 3

/** The key file in its own thread: a group of calls is one transaction, so many creations share one fsync. */
export const openKeyFileServer = (file: string, openFile = openKeyFile) =>
  new GroupTransactions<KeyOperations, ThreadCall>({
    file: FILE,
    open: () => openFile(file),
    prepare: prepareKeyOperations,
    itemsOf: ({ calls }) => calls,
    onlyRead: (calls) => calls.every(([method]) => onlyReads(method)),
    run: runCall,
    beforeCommit: (operations) => operations.beforeCommit(),
    committed: emptyLogAfter,
  })

/** All calls are committed; an erasure counts as done only when the log has none of the old bytes either. */
const emptyLogAfter = (database: Database, calls: readonly ThreadCall[]): GroupAnswer['failures'] => {
  const erasing = [...calls.keys()].filter((index) => leavesOldBytes(calls[index]?.[0] ?? ''))
  if (erasing.length === 0) return []
  try {
    emptyLog(database)
    return []
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return erasing.map((index) => [index, { is: 'unknown', message: `${FILE}: ${reason}` }])
  }
}

/** Moves the log into the file and cuts it to nothing: it holds the pages as they were before. */
const emptyLog = (database: Database): void => {
  for (let attempt = 0; attempt < CHECKPOINT_ATTEMPTS; attempt++) {
    const [result] = database.pragma('wal_checkpoint(TRUNCATE)') as [{ busy: number }]
    if (result.busy === 0) return
  }
  throw new Error('another process is using it, so its log could not be emptied')
}
