import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import { SHARD_COUNT } from '../domain/references.ts'
import type { FinishedRecord, FinishedRecords } from '../ports/directory.ts'
import type { DueQuery, DueRecords } from '../ports/list-overview.ts'

/** A few milliseconds where an organisation has a million records to go. */
const SHARDS_AT_ONCE = 16

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
  listsOf: database.prepare<[string], { scope: number; kind: string }>(
    'SELECT scope, kind FROM scopes WHERE tenant = ? ORDER BY kind',
  ),
  // What is erased already stands below zero.
  due: database.prepare<[number, number, number], { records: number; firstMs: number | null }>(
    `SELECT count(*) AS records, min(finished_ms) AS firstMs FROM records INDEXED BY finished
     WHERE shard = ? AND scope = ? AND finished_ms IS NOT NULL AND finished_ms >= 0 AND finished_ms < ?`,
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

  /** Shard by shard, because the index begins with them; others have their turns in between. */
  async due({ tenant, beforeMs }: DueQuery): Promise<readonly DueRecords[]> {
    const all: DueRecords[] = []
    for (const { scope, kind } of this.#sql.listsOf.all(tenant)) {
      let [records, firstFinishedMs] = [0, Number.POSITIVE_INFINITY]
      for (let shard = 0; shard < SHARD_COUNT; shard++) {
        if (shard % SHARDS_AT_ONCE === 0) await setImmediate()
        const found = this.#sql.due.get(shard, scope, beforeMs)
        records += found?.records ?? 0
        firstFinishedMs = Math.min(firstFinishedMs, found?.firstMs ?? firstFinishedMs)
      }
      if (records > 0) all.push({ kind, records, firstFinishedMs })
    }
    return all
  }

  swept(rows: readonly number[]): void {
    this.#database.transaction(() => {
      for (const row of rows) this.#sql.swept.run(row)
    })()
  }
}
