import type { Database } from 'better-sqlite3'
import { describeFailure, isDefect, needsReopening } from '../../sqlite/sqlite-failure.ts'
import {
  type GroupAnswer,
  type GroupRequest,
  runCall,
  type ThreadCall,
} from '../../sqlite/thread-messages.ts'
import { openKeyFile } from './key-file.ts'
import { type KeyOperations, leavesOldBytes, onlyReads, prepareKeyOperations } from './key-operations.ts'

/** Each try waits for the other process (a running rotation) itself, as long as the file's busy timeout. */
const CHECKPOINT_ATTEMPTS = 3

/** The key file in its own thread: a group of calls is one transaction, so many creations share one fsync. */
export class KeyFileServer {
  readonly #file: string
  readonly #openFile: (file: string) => Database
  #connection: { readonly database: Database; readonly operations: KeyOperations } | null = null

  constructor(file: string, openFile = openKeyFile) {
    this.#file = file
    this.#openFile = openFile
    this.#connected()
  }

  run({ calls }: GroupRequest): GroupAnswer {
    return this.#run(calls)
  }

  close(): void {
    const connection = this.#connection
    this.#connection = null
    connection?.database.close()
  }

  #run(calls: readonly ThreadCall[]): GroupAnswer {
    let phase: 'running' | 'committing' = 'running'
    try {
      const { database, operations } = this.#connected()
      database.exec(calls.every(([method]) => onlyReads(method)) ? 'BEGIN' : 'BEGIN IMMEDIATE')
      const values = calls.map((call, index) => [index, runCall(operations, call)] as const)
      phase = 'committing'
      database.exec('COMMIT')
      return { values, failures: this.#emptyLogAfter(calls, database) }
    } catch (error) {
      this.#recover(error)
      if (calls.length > 1 && isDefect(error)) return this.#runApart(calls)
      const { is } = describeFailure(error, phase)
      return { values: [], failures: calls.map((_, index) => [index, { is, message: describe(error) }]) }
    }
  }

  /** Committed all of it is; an erasure counts as done only when the log has none of the old bytes either. */
  #emptyLogAfter(calls: readonly ThreadCall[], database: Database): GroupAnswer['failures'] {
    const erasing = [...calls.keys()].filter((index) => leavesOldBytes(calls[index]?.[0] ?? ''))
    if (erasing.length === 0) return []
    try {
      emptyLog(database)
      return []
    } catch (error) {
      return erasing.map((index) => [index, { is: 'unknown', message: describe(error) }])
    }
  }

  /** One wrong call must not fail its neighbours. */
  #runApart(calls: readonly ThreadCall[]): GroupAnswer {
    const answers = calls.map((call) => this.#run([call]))
    return {
      values: answers.flatMap(({ values }, index) => values.map(([, value]) => [index, value] as const)),
      failures: answers.flatMap(({ failures }, index) =>
        failures.map(([, failure]) => [index, failure] as const),
      ),
    }
  }

  #recover(cause: unknown): void {
    try {
      if (this.#connection?.database.inTransaction) this.#connection.database.exec('ROLLBACK')
      if (needsReopening(cause)) this.close()
    } catch {
      // The next group opens the file anew; there is nothing else to be done with this handle.
      this.#connection = null
    }
  }

  #connected() {
    if (this.#connection === null) {
      const database = this.#openFile(this.#file)
      this.#connection = { database, operations: prepareKeyOperations(database) }
    }
    return this.#connection
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

const describe = (error: unknown): string =>
  `key file: ${error instanceof Error ? error.message : String(error)}`
