import type { Database, Statement } from 'better-sqlite3'
import type { TimerRow } from '../../ports/journal.ts'

/** Each row carries the slot that set it, so that a late removal cannot take away a row that a later slot set again. */
export class TimerTable {
  readonly #insert: Statement
  readonly #delete: Statement

  constructor(database: Database) {
    this.#insert = database.prepare(
      `INSERT INTO timers (shard, due_ms, actor, timer_id, set_no) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET set_no = max(set_no, excluded.set_no)`,
    )
    this.#delete = database.prepare(
      'DELETE FROM timers WHERE shard = ? AND due_ms = ? AND actor = ? AND timer_id = ? AND set_no <= ?',
    )
  }

  add(shard: number, rows: readonly TimerRow[], no: number): void {
    for (const { dueMs, actor, timerId } of rows) this.#insert.run(shard, dueMs, actor, timerId, no)
  }

  remove(shard: number, rows: readonly TimerRow[], atNo: number): void {
    for (const { dueMs, actor, timerId } of rows) this.#delete.run(shard, dueMs, actor, timerId, atNo)
  }
}
