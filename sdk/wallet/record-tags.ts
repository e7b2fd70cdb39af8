import type { TagsBase } from '@credo-ts/core'
import type Database from 'better-sqlite3'

type Row = { readonly type: string; readonly id: string; readonly tags: string }

/** The tags of records by their texts, so that a wallet with many records need not look at each of them. */
export class RecordTags {
  readonly #insert: Database.Statement
  readonly #delete: Database.Statement
  readonly #ids: Database.Statement

  constructor(database: Database.Database) {
    const isNew =
      database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'record_tags'").get() === undefined
    database.exec(`CREATE TABLE IF NOT EXISTS record_tags (
      type TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, id TEXT NOT NULL,
      PRIMARY KEY (type, name, value, id)) WITHOUT ROWID;
      CREATE INDEX IF NOT EXISTS record_tags_by_record ON record_tags (type, id)`)
    this.#insert = database.prepare(
      'INSERT OR IGNORE INTO record_tags (type, name, value, id) VALUES (?, ?, ?, ?)',
    )
    this.#delete = database.prepare('DELETE FROM record_tags WHERE type = ? AND id = ?')
    this.#ids = database.prepare('SELECT id FROM record_tags WHERE type = ? AND name = ? AND value = ?')
    if (isNew) this.#fillFrom(database)
  }

  replace(type: string, id: string, tags: TagsBase): void {
    this.remove(type, id)
    for (const [name, value] of Object.entries(tags)) {
      const values: unknown[] = Array.isArray(value) ? value : [value]
      for (const one of values) if (typeof one === 'string') this.#insert.run(type, name, one, id)
    }
  }

  /** A wallet that was made before there was this table. */
  #fillFrom(database: Database.Database): void {
    const rows = database.prepare('SELECT type, id, tags FROM records').all() as Row[]
    for (const { type, id, tags } of rows) this.replace(type, id, JSON.parse(tags) as TagsBase)
  }

  remove(type: string, id: string): void {
    this.#delete.run(type, id)
  }

  /** The only records that can satisfy the query; null when it names no text that they would have to have. */
  candidates(type: string, query: object): readonly string[] | null {
    for (const [name, wanted] of Object.entries(query)) {
      const value: unknown = Array.isArray(wanted) ? wanted[0] : wanted
      if (name.startsWith('$') || typeof value !== 'string') continue
      return (this.#ids.all(type, name, value) as { readonly id: string }[]).map(({ id }) => id)
    }
    return null
  }
}
