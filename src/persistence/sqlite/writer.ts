import type { Database } from 'better-sqlite3'
import { openForWriting } from './database.ts'
import { GroupTransactions } from './group-transactions.ts'
import { restMover } from './log-mover/log-mover.ts'
import { type PackedSlot, unpackSlots } from './slot-file/packed-slots.ts'
import { type GroupAnswer, runCall, type ThreadCall } from './thread-messages.ts'
import { prepareWrites, type WriteOperations } from './write-operations.ts'

/** Writes groups of slots and calls into the journal file. */
export const openWriter = (file: string, openFile = openForWriting) =>
  new GroupTransactions<WriteOperations, PackedSlot | ThreadCall>({
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
    committed: afterwards(),
    rolledBack: (operations) => operations.afterRollback(),
  })

/** What is committed stays so when the log cannot be moved now. */
const afterwards = (): ((database: Database) => GroupAnswer['failures']) => {
  const moveRest = restMover()
  return (database) => {
    try {
      moveRest(database)
    } catch {
      // The disk may be full: the next commit will say so to those whom it concerns.
    }
    return []
  }
}

const isCall = (item: PackedSlot | ThreadCall): item is ThreadCall => typeof item[0] === 'string'
