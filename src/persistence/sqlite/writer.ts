import type { Database } from 'better-sqlite3'
import { openForWriting } from './database.ts'
import { type PackedSlot, unpackSlots } from './slot-file/packed-slots.ts'
import { describeFailure, isDefect, needsReopening } from './sqlite-failure.ts'
import { type GroupAnswer, type GroupRequest, runCall, type ThreadCall } from './thread-messages.ts'
import { prepareWrites, type WriteOperations } from './write-operations.ts'

type Connection = { readonly database: Database; readonly operations: WriteOperations }
type Work = { readonly slots: readonly PackedSlot[]; readonly calls: readonly ThreadCall[] }

/** Runs groups of writes, a transaction each. */
export class Writer {
  readonly #file: string
  readonly #openDatabase: (file: string) => Database
  #connection: Connection | null

  constructor(file: string, openDatabase = openForWriting) {
    this.#file = file
    this.#openDatabase = openDatabase
    this.#connection = this.#open()
  }

  run({ slots, calls }: GroupRequest): GroupAnswer {
    return this.#run({ slots: slots.flatMap(unpackSlots), calls })
  }

  close(): void {
    this.#connection?.database.close()
    this.#connection = null
  }

  #run(work: Work): GroupAnswer {
    let phase: 'running' | 'committing' = 'running'
    try {
      const { database, operations } = this.#connected()
      database.exec('BEGIN IMMEDIATE')
      const values = runAll(operations, work)
      operations.beforeCommit()
      phase = 'committing'
      database.exec('COMMIT')
      return { values, failures: [] }
    } catch (error) {
      this.#rollBack(error)
      const size = work.slots.length + work.calls.length
      // One wrong call must not fail its neighbours: apart, only the wrong one fails.
      if (size > 1 && isDefect(error)) return this.#runApart(work)
      const failure = describeFailure(error, phase)
      return { values: [], failures: Array.from({ length: size }, (_, index) => [index, failure]) }
    }
  }

  #runApart({ slots, calls }: Work): GroupAnswer {
    const apart: Work[] = [
      ...slots.map((slot) => ({ slots: [slot], calls: [] })),
      ...calls.map((call) => ({ slots: [], calls: [call] })),
    ]
    const answers = apart.map((work) => this.#run(work))
    return {
      values: answers.flatMap(({ values }, index) => values.map(([, value]) => [index, value] as const)),
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
    const database = this.#openDatabase(this.#file)
    return { database, operations: prepareWrites(database) }
  }
}

const runAll = (operations: WriteOperations, { slots, calls }: Work): (readonly [number, unknown])[] => {
  const values: (readonly [number, unknown])[] = []
  for (const [index, slot] of slots.entries()) {
    const outcome = operations.append(slot)
    if (outcome.is !== 'written') values.push([index, outcome])
  }
  for (const [index, call] of calls.entries()) {
    const value = runCall(operations, call)
    if (value !== undefined) values.push([slots.length + index, value])
  }
  return values
}
