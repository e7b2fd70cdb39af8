import { openForWriting } from './database.ts'
import { GroupTransactions } from './group-transactions.ts'
import { type PackedSlot, unpackSlots } from './slot-file/packed-slots.ts'
import { runCall, type ThreadCall } from './thread-messages.ts'
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
    rolledBack: (operations) => operations.afterRollback(),
  })

const isCall = (item: PackedSlot | ThreadCall): item is ThreadCall => typeof item[0] === 'string'
