import type Database from 'better-sqlite3'

const isThere = (database: Database.Database, table: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(table) !== undefined

type RecordRow = { readonly type: string; readonly id: string; readonly value: string; readonly tags: string }
type KeyRow = { readonly id: string; readonly public: Buffer; readonly secret: Buffer }

/** The tables of the wallet that there was before the SDK become rows of format 1. Within a transaction. */
export const takeOverTestWallet = (database: Database.Database): void => {
  if (!isThere(database, 'records') || !isThere(database, 'keys')) return
  const insert = database.prepare('INSERT OR REPLACE INTO rows (kind, id, content) VALUES (?, ?, ?)')
  const put = (kind: string, id: string, value: object): void =>
    void insert.run(kind, id, Buffer.from(JSON.stringify(value)))
  for (const { type, id, value, tags } of database.prepare('SELECT * FROM records').all() as RecordRow[])
    put(`credo:${type}`, id, { value, tags: JSON.parse(tags) as object })
  for (const { id, public: open, secret } of database.prepare('SELECT * FROM keys').all() as KeyRow[])
    put('key', id, { public: open.toString('base64url'), secret: secret.toString('base64url') })
  for (const table of ['records', 'keys', 'record_tags']) database.exec(`DROP TABLE IF EXISTS ${table}`)
}
