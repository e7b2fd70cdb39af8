import type { Database } from 'better-sqlite3'
import { openForWriting } from './database.ts'
import { GroupTransactions } from './group-transactions.ts'
import { restMover } from './log-mover/log-mover.ts'
import { type PackedSlot, unpackSlots } from './slot-file/packed-slots.ts'
import type { ThreadServer } from './serve-thread.ts'
import { runCall, type ThreadCall } from './thread-messages.ts'
import { prepareWrites, type WriteOperations } from './write-operations.ts'

/** Writes groups of slots and calls into the journal file, and says when much of its log waits to be moved. */
export const openWriter = (file: string, openFile = openForWriting): ThreadServer => {
  const log = watchedLog()
  const writer = new GroupTransactions<WriteOperations, PackedSlot | ThreadCall>({
    file: 'journal file',
    open: () => openFile(file),
    prepare: prepareWrites,
    itemsOf: ({ slots, calls }) => [...slots.flatMap(unpackSlots), ...calls],
    run: (operations, item) => {
      if (isCall(item)) return runCall(operations, item)
      const outcome = operations.append(item)
      return outcome.is === 'written' ? undefined : outcome
    },
    beforeCommit: (operations) => operations.beforeCommit(),
    committed: (database) => {
      log.look(database)
      return []
    },
    rolledBack: (operations) => operations.afterRollback(),
  })
  return {
    run: (group) => {
      const answer = writer.run(group)
      return log.isLong() ? { ...answer, isLogLong: true } : answer
    },
    close: () => writer.close(),
  }
}

/** The log grows by little in a commit, and a look costs as much as a small one. */
const COMMITS_BETWEEN_LOOKS = 16

/** What is committed stays so when the log cannot be moved now. */
const watchedLog = () => {
  const moveRest = restMover()
  let isLong = false
  let commits = 0
  return {
    isLong: (): boolean => isLong,
    look: (database: Database): void => {
      isLong = false
      if (commits++ % COMMITS_BETWEEN_LOOKS !== 0) return
      try {
        isLong = moveRest(database)
      } catch {
        // The disk may be full: the next commit will say so to those whom it concerns.
      }
    },
  }
}

const isCall = (item: PackedSlot | ThreadCall): item is ThreadCall => typeof item[0] === 'string'
