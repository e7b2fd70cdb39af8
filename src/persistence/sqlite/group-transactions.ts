import type { Database } from 'better-sqlite3'
import { describeFailure, isDefect, needsReopening } from './sqlite-failure.ts'
import type { GroupAnswer, GroupRequest } from './thread-messages.ts'

type Connection<Operations> = { readonly database: Database; readonly operations: Operations }

export type TransactionSteps<Operations, Item> = {
  /** Names the file in failures: `journal file`. */
  readonly file: string
  open(): Database
  prepare(database: Database): Operations
  /** What a group asks for, in the order in which it runs. */
  itemsOf(group: GroupRequest): readonly Item[]
  /** True when the items change nothing, so that the transaction need not take the lock for writing. */
  onlyRead?(items: readonly Item[]): boolean
  /** The value that the caller of the item gets; undefined when there is nothing to say but that it was done. */
  run(operations: Operations, item: Item): unknown
  beforeCommit?(operations: Operations): void
  /** Failures of items that are committed but need more than that to count as done. */
  committed?(database: Database, items: readonly Item[]): GroupAnswer['failures']
  rolledBack?(operations: Operations): void
}

/** Runs the items of a group in one transaction, on a connection that is opened again after a broken one. */
export class GroupTransactions<Operations, Item> {
  readonly #steps: TransactionSteps<Operations, Item>
  #connection: Connection<Operations> | null

  constructor(steps: TransactionSteps<Operations, Item>) {
    this.#steps = steps
    this.#connection = this.#open()
  }

  run(group: GroupRequest): GroupAnswer {
    return this.#run(this.#steps.itemsOf(group))
  }

  close(): void {
    this.#connection?.database.close()
    this.#connection = null
  }

  #open(): Connection<Operations> {
    const database = this.#steps.open()
    return { database, operations: this.#steps.prepare(database) }
  }

  #run(items: readonly Item[]): GroupAnswer {
    const steps = this.#steps
    let phase: 'running' | 'committing' = 'running'
    try {
      this.#connection ??= this.#open()
      const { database, operations } = this.#connection
      database.exec(steps.onlyRead?.(items) === true ? 'BEGIN' : 'BEGIN IMMEDIATE')
      const values: (readonly [number, unknown])[] = []
      for (const [index, item] of items.entries()) {
        const value = steps.run(operations, item)
        if (value !== undefined) values.push([index, value])
      }
      steps.beforeCommit?.(operations)
      phase = 'committing'
      database.exec('COMMIT')
      return { values, failures: steps.committed?.(database, items) ?? [] }
    } catch (error) {
      this.#rollBack(error)
      // One wrong item must not fail its neighbours: apart, only the wrong one fails.
      if (items.length > 1 && isDefect(error)) return this.#runApart(items)
      const failure = describeFailure(steps.file, error, phase)
      return { values: [], failures: items.map((_, index) => [index, failure]) }
    }
  }

  #runApart(items: readonly Item[]): GroupAnswer {
    const answers = items.map((item) => this.#run([item]))
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
      else this.#steps.rolledBack?.(connection.operations)
    } catch {
      this.#abandon(connection)
    }
  }

  #abandon({ database }: Connection<Operations>): void {
    this.#connection = null
    try {
      database.close()
    } catch {
      // The next group opens the file again; a handle that cannot even be closed is of no other use.
    }
  }
}
