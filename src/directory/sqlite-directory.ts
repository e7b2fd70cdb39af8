import { closeSync, openSync } from 'node:fs'
import BetterSqlite3, { type Database } from 'better-sqlite3'
import type { Directory, DirectoryRow, ListQuery } from '../actors/directory-port.ts'
import type { TailPosition } from '../actors/journal-port.ts'

/** Everything in it can be made again from the journal's actors, so a lost second costs nothing but that second. */
const TABLES = `
  CREATE TABLE IF NOT EXISTS records (
    kind TEXT NOT NULL, id TEXT NOT NULL, tenant TEXT NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL,
    state TEXT NOT NULL, external_id TEXT, search TEXT NOT NULL, filters TEXT NOT NULL, PRIMARY KEY (kind, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS newest ON records (tenant, kind, created_ms DESC, id DESC);
  CREATE TABLE IF NOT EXISTS positions (
    shard INTEGER PRIMARY KEY, no INTEGER NOT NULL, entry INTEGER NOT NULL
  ) STRICT;
`

type Row = {
  readonly kind: DirectoryRow['kind']
  readonly id: string
  readonly tenant: string
  readonly created_ms: number
  readonly updated_ms: number
  readonly state: string
  readonly external_id: string | null
  readonly search: string
  readonly filters: string
}

/** Lists of one process, in a file of their own. */
export class SqliteDirectory implements Directory, Disposable {
  readonly #database: Database

  constructor(file: string) {
    if (file !== ':memory:') closeSync(openSync(file, 'a', 0o600))
    this.#database = new BetterSqlite3(file)
    this.#database.pragma('journal_mode = WAL')
    this.#database.pragma('synchronous = NORMAL')
    this.#database.pragma('secure_delete = ON')
    this.#database.exec(TABLES)
  }

  list(query: ListQuery): Promise<{ readonly rows: readonly DirectoryRow[]; readonly total: number }> {
    const { where, values } = conditions(query)
    const read = this.#database.transaction(() => {
      const { total } = this.#database
        .prepare<unknown[], { total: number }>(`SELECT count(*) AS total FROM records WHERE ${where}`)
        .get(...values) ?? { total: 0 }
      const rows = this.#database
        .prepare<unknown[], Row>(
          `SELECT * FROM records WHERE ${where} ORDER BY created_ms DESC, id DESC LIMIT ? OFFSET ?`,
        )
        .all(...values, query.pageSize, (query.page - 1) * query.pageSize)
      return { rows: rows.map(asRow), total }
    })
    return Promise.resolve(read())
  }

  positionOf(shard: number): TailPosition | null {
    const found = this.#database
      .prepare<[number], TailPosition>('SELECT no, entry AS "index" FROM positions WHERE shard = ?')
      .get(shard)
    return found ?? null
  }

  /** Rows and the place up to which they stand, together. */
  write(shard: number, rows: readonly DirectoryRow[], position: TailPosition): void {
    const put = this.#database.prepare(
      `INSERT OR REPLACE INTO records (kind, id, tenant, created_ms, updated_ms, state, external_id, search, filters)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    const place = this.#database.prepare(
      'INSERT OR REPLACE INTO positions (shard, no, entry) VALUES (?, ?, ?)',
    )
    this.#database.transaction(() => {
      for (const row of rows) {
        const { kind, id, tenant, createdAtMs, updatedAtMs, state, externalId, searchText, filters } = row
        const stored = [
          externalId === null ? null : lower(externalId),
          lower(searchText),
          JSON.stringify(filters),
        ]
        put.run(kind, id, tenant, createdAtMs, updatedAtMs, state, ...stored)
      }
      place.run(shard, position.no, position.index)
    })()
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }
}

/** instr() takes % and _ as what they are; lower-casing here knows all letters, SQLite only those of ASCII. */
const conditions = (query: ListQuery): { readonly where: string; readonly values: readonly unknown[] } => {
  const parts: [string, ...unknown[]][] = [['tenant = ? AND kind = ?', query.tenant, query.kind]]
  if (query.q !== null) parts.push(['instr(search, ?) > 0', lower(query.q)])
  if (query.externalId !== null) parts.push(['instr(external_id, ?) > 0', lower(query.externalId)])
  if (query.fromMs !== null) parts.push(['created_ms >= ?', query.fromMs])
  if (query.toMs !== null) parts.push(['created_ms < ?', query.toMs])
  if (query.states.length > 0)
    parts.push([`state IN (${query.states.map(() => '?').join(', ')})`, ...query.states])
  for (const [name, value] of Object.entries(query.filters))
    parts.push(['json_extract(filters, ?) = ?', `$."${name}"`, value])
  return {
    where: parts.map(([sql]) => sql).join(' AND '),
    values: parts.flatMap(([, ...values]) => values),
  }
}

const lower = (text: string): string => text.normalize('NFC').toLowerCase()

const asRow = (row: Row): DirectoryRow => ({
  kind: row.kind,
  id: row.id,
  tenant: row.tenant,
  createdAtMs: row.created_ms,
  updatedAtMs: row.updated_ms,
  state: row.state,
  externalId: row.external_id,
  searchText: row.search,
  filters: JSON.parse(row.filters) as DirectoryRow['filters'],
})
