import type { Database } from 'better-sqlite3'
import { openForReading } from './database.ts'
import { prepareReads, type ReadOperations } from './read-operations.ts'
import { describeFailure, needsReopening } from './sqlite-failure.ts'
import { type GroupAnswer, type GroupRequest, runCall, type ThreadFailure } from './thread-messages.ts'

type Connection = { readonly database: Database; readonly operations: ReadOperations }

/** Runs reads one by one; each sees everything that was committed before it began. */
export class JournalReader {
  readonly #file: string
  #connection: Connection | null

  constructor(file: string) {
    this.#file = file
    this.#connection = this.#open()
  }

  run({ calls }: GroupRequest): GroupAnswer {
    const values: (readonly [number, unknown])[] = []
    const failures: (readonly [number, ThreadFailure])[] = []
    for (const [index, call] of calls.entries()) {
      try {
        this.#connection ??= this.#open()
        values.push([index, runCall(this.#connection.operations, call)])
      } catch (error) {
        failures.push([index, describeFailure('journal file', error, 'running')])
        if (needsReopening(error)) this.close()
      }
    }
    return { values, failures }
  }

  close(): void {
    const connection = this.#connection
    this.#connection = null
    connection?.database.close()
  }

  #open(): Connection {
    const database = openForReading(this.#file)
    return { database, operations: prepareReads(database) }
  }
}
