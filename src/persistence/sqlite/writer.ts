import type { Database } from 'better-sqlite3'
import { openForWriting } from './database.ts'
import { describeFailure, isDefect, needsReopening } from './sqlite-failure.ts'
import { type GroupAnswer, type GroupRequest, runCall, type ThreadCall } from './thread-messages.ts'
import { prepareWrites, type WriteOperations } from './write-operations.ts'

type Connection = { readonly database: Database; readonly operations: WriteOperations }

/** Runs groups of writes, a transaction each. */
export class Writer {
  readonly #file: string
  #connection: Connection | null

  constructor(file: string) {
    this.#file = file
    this.#connection = this.#open()
  }

  run(group: GroupRequest): GroupAnswer {
    let phase: 'running' | 'committing' = 'running'
    try {
      const { database, operations } = this.#connected()
      database.exec('BEGIN IMMEDIATE')
      const values = group.map((call) => runCall(operations, call))
      operations.beforeCommit()
      phase = 'committing'
      database.exec('COMMIT')
      return { values, failures: [] }
    } catch (error) {
      this.#rollBack(error)
      // One wrong call must not fail its neighbours: apart, only the wrong one fails.
      if (group.length > 1 && isDefect(error)) return this.#runApart(group)
      const failure = describeFailure(error, phase)
      return { values: [], failures: group.map((_, index) => [index, failure]) }
    }
  }

  close(): void {
    this.#connection?.database.close()
    this.#connection = null
  }

  #runApart(group: GroupRequest): GroupAnswer {
    const answers = group.map((call: ThreadCall) => this.run([call]))
    return {
      values: answers.map((answer) => answer.values[0]),
      failures: answers.flatMap(({ failures }, index) =>
        failures.map(([, failure]) => [index, failure] as const),
      ),
    }
  }

  #rollBack(cause: unknown): void {
    const connection = this.#connection
    if (connection === null) return
    try {
      if (connection.database.inTransaction) connection.database.exec('ROLLBACK')
      if (needsReopening(cause)) this.close()
      else connection.operations.afterRollback()
    } catch {
      this.#abandon(connection)
    }
  }

  #abandon({ database }: Connection): void {
    this.#connection = null
    try {
      database.close()
    } catch {
      // The next group opens the file anew; there is nothing else to be done with this handle.
    }
  }

  #connected(): Connection {
    this.#connection ??= this.#open()
    return this.#connection
  }

  #open(): Connection {
    const database = openForWriting(this.#file)
    return { database, operations: prepareWrites(database) }
  }
}
