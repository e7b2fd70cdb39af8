import type { Database } from 'better-sqlite3'
import type { KeyStoreMark } from '../vault/key-store-port.ts'

/** For the reading thread. */
export const prepareKeyStoreRead = (database: Database) => {
  const row = database.prepare<[], KeyStoreMark>('SELECT id, count FROM key_store')
  return (): KeyStoreMark | null => row.get() ?? null
}

/** For the writing thread. An older count never replaces a newer one. */
export const prepareKeyStoreWrite = (database: Database) => {
  const row = database.prepare<[string, number]>(
    `INSERT INTO key_store (one, id, count) VALUES (1, ?, ?)
     ON CONFLICT DO UPDATE SET count = excluded.count WHERE excluded.id = id AND excluded.count > count`,
  )
  return (id: string, count: number): void => {
    row.run(id, count)
  }
}
