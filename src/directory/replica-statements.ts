import type { Database } from 'better-sqlite3'
import type { TailPosition } from '../ports/journal.ts'
import type { RowKey } from '../ports/list-replicas.ts'
import type { PlainCells } from './change-codec.ts'
import { textOf } from './slotted-texts.ts'

/** A row as the file has it; its steps by their numbers in this file. */
export type StoredCells = readonly [...PlainCells, steps: string | null]

const CELLS = `rev, kind, id, tenant, created_ms, updated_ms, state, filters, external_id,
  ${textOf('records')} AS search, finished_ms, steps`

/** What the copies of rows are read and changed by. */
export const prepare = (database: Database) => ({
  after: database
    .prepare<[number, number, number], StoredCells>(
      `SELECT ${CELLS} FROM records INDEXED BY changed JOIN scopes USING (scope)
       WHERE shard = ? AND rev > ? ORDER BY rev LIMIT ?`,
    )
    .raw(),
  one: database
    .prepare<[string, string, string], StoredCells>(
      `SELECT ${CELLS} FROM scopes JOIN records USING (scope) WHERE tenant = ? AND kind = ? AND id = ?`,
    )
    .raw(),
  seqOf: database
    .prepare<[string, string, string], number>(
      'SELECT seq FROM scopes JOIN records USING (scope) WHERE tenant = ? AND kind = ? AND id = ?',
    )
    .pluck(),
  seqsOfId: database
    .prepare<[number, number, string], number>(
      'SELECT seq FROM records INDEXED BY changed WHERE shard = ? AND rev < ? AND id = ?',
    )
    .pluck(),
  keysAfter: database.prepare<[number, number, number], RowKey>(
    `SELECT tenant, kind, id FROM records INDEXED BY changed JOIN scopes USING (scope)
     WHERE shard = ? AND rev > ? LIMIT ?`,
  ),
  keyOf: database.prepare<[number], RowKey & { readonly shard: number }>(
    'SELECT shard, tenant, kind, id FROM records JOIN scopes USING (scope) WHERE seq = ?',
  ),
  old: database
    .prepare<[number], number>('SELECT seq FROM records INDEXED BY changed WHERE shard = ? AND rev = 0')
    .pluck(),
  age: database.prepare<[number]>('UPDATE records SET rev = 0 WHERE shard = ?'),
  sweep: database.prepare<[number, number]>('UPDATE records SET finished_ms = NULL, rev = ? WHERE seq = ?'),
  position: database.prepare<[number], TailPosition>(
    'SELECT no, entry AS "index" FROM positions WHERE shard = ?',
  ),
  unplace: database.prepare<[number]>('DELETE FROM positions WHERE shard = ?'),
  place: database.prepare<[number, number, number]>(
    'INSERT OR REPLACE INTO positions (shard, no, entry) VALUES (?, ?, ?)',
  ),
})
