import { openForWriting } from './database.ts'
import { GroupTransactions } from './group-transactions.ts'
import { type PackedSlot, unpackSlots } from './slot-file/packed-slots.ts'
import { type GroupAnswer, type GroupRequest, runCall, type ThreadCall } from './thread-messages.ts'
import { prepareWrites, type WriteOperations } from './write-operations.ts'

/** Writes groups of slots and calls into the journal file. */
export class Writer {
  readonly #transactions: GroupTransactions<WriteOperations, PackedSlot | ThreadCall>

  constructor(file: string, openFile = openForWriting) {
    this.#transactions = new GroupTransactions({
      file: 'journal file',
      open: () => {
        const database = openFile(file)
        return { database, operations: prepareWrites(database) }
      },
      run: (operations, item) => {
        if (isCall(item)) return runCall(operations, item)
        const outcome = operations.append(item)
        return outcome.is === 'written' ? undefined : outcome
      },
      beforeCommit: (operations) => operations.beforeCommit(),
      rolledBack: (operations) => operations.afterRollback(),
    })
  }

  run({ slots, calls }: GroupRequest): GroupAnswer {
    return this.#transactions.run([...slots.flatMap(unpackSlots), ...calls])
  }

  close(): void {
    this.#transactions.close()
  }
}

const isCall = (item: PackedSlot | ThreadCall): item is ThreadCall => typeof item[0] === 'string'
