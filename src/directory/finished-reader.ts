import type { Database } from 'better-sqlite3'
import type { FinishedRecord, FinishedRecords } from '../ports/directory.ts'

export type FinishedQuery = Parameters<FinishedRecords['finishedBefore']>[0]

const prepare = (database: Database) => ({
  // The lists of a shard are far fewer than its records: each is one step in the index.
  nextScope: database
    .prepare<[number, number], number>(
      `SELECT scope FROM records INDEXED BY finished WHERE shard = ? AND scope > ? AND finished_ms IS NOT NULL
       ORDER BY scope LIMIT 1`,
    )
    .pluck(),
  tenantOf: database.prepare<[number], string>('SELECT tenant FROM scopes WHERE scope = ?').pluck(),
  scopesOf: database.prepare<[string], number>('SELECT scope FROM scopes WHERE tenant = ?').pluck(),
  // What is erased stands at its time with a minus, so one range of the index has all that finished before a time.
  before: database.prepare<[number, number, number, number, number, number], FinishedRecord>(
    `SELECT id, finished_ms AS finishedAtMs, seq AS row FROM records INDEXED BY finished
     WHERE shard = ? AND scope = ? AND finished_ms < ? AND finished_ms IS NOT NULL AND (finished_ms, seq) > (?, ?)
     ORDER BY finished_ms, seq LIMIT ?`,
  ),
  swept: database.prepare<[number]>('UPDATE records SET finished_ms = NULL WHERE seq = ?'),
})

/** Finds the exchanges whose time may be over, by an index that has no others. */
export class FinishedReader {
  readonly #database: Database
  readonly #sql: ReturnType<typeof prepare>

  constructor(database: Database) {
    this.#database = database
    this.#sql = prepare(database)
  }

  tenants(shard: number): readonly string[] {
    const found = new Set<string>()
    for (let scope = this.#sql.nextScope.get(shard, 0); scope !== undefined; ) {
      found.add(this.#sql.tenantOf.get(scope) ?? '')
      scope = this.#sql.nextScope.get(shard, scope)
    }
    return [...found]
  }

  before({ shard, tenant, beforeMs, erasedOnly, after, limit }: FinishedQuery): readonly FinishedRecord[] {
    const { finishedAtMs, row } = after ?? { finishedAtMs: -beforeMs, row: Number.MAX_SAFE_INTEGER }
    const endMs = erasedOnly ? 0 : beforeMs
    return this.#sql.scopesOf
      .all(tenant)
      .flatMap((scope) => this.#sql.before.all(shard, scope, endMs, finishedAtMs, row, limit))
      .toSorted((left, right) => left.finishedAtMs - right.finishedAtMs || left.row - right.row)
      .slice(0, limit)
  }

  swept(rows: readonly number[]): void {
    this.#database.transaction(() => {
      for (const row of rows) this.#sql.swept.run(row)
    })()
  }
}
