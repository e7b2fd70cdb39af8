import type { OpenStorage, Row, WalletStorage } from '../core/ports.ts'
import type { DatabaseModule, OpenedDatabase } from './modules.ts'

/** A wallet in a database of the phone. */
export const phoneStorage = (database: DatabaseModule, name: string): WalletStorage => ({
  name,
  open: async () => await openRows(await database.open(name)),
  erase: () => database.remove(name),
})

const openRows = async (database: OpenedDatabase): Promise<OpenStorage> => {
  const [check] = (await database.execute('PRAGMA quick_check(1)')).rows
  if (!Object.values(check ?? {}).includes('ok')) throw new Error('the database of the wallet is damaged')
  await database.execute('PRAGMA journal_mode = WAL')
  await database.execute('PRAGMA synchronous = FULL')
  await database.execute(
    'CREATE TABLE IF NOT EXISTS rows (kind TEXT NOT NULL, id TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID',
  )
  return {
    readAll: async () => (await database.execute('SELECT kind, id, content FROM rows')).rows.map(rowOf),
    write: (changes) =>
      database.transaction(async (execute) => {
        for (const { kind, id, content } of changes) {
          if (content === null) await execute('DELETE FROM rows WHERE kind = ? AND id = ?', [kind, id])
          else
            await execute('INSERT OR REPLACE INTO rows (kind, id, content) VALUES (?, ?, ?)', [
              kind,
              id,
              content,
            ])
        }
      }),
    close: () => database.close(),
  }
}

const rowOf = (row: unknown): Row => {
  const { kind, id, content } = row as { kind: string; id: string; content: Uint8Array | ArrayBuffer }
  return { kind, id, content: content instanceof Uint8Array ? content : new Uint8Array(content) }
}
