import type { OpenStorage, Row, WalletStorage } from '../core/ports.ts'
import { storageProblem } from '../core/rows/storage-problem.ts'
import type { DatabaseModule, OpenedDatabase } from './modules.ts'

/** A wallet in a database of the phone. */
export const phoneStorage = (database: DatabaseModule, name: string): WalletStorage => ({
  name,
  open: async () => await openRows(await database.open(name)),
  erase: () => database.remove(name),
})

const openRows = async (database: OpenedDatabase): Promise<OpenStorage> => {
  await orClosed(database, async () => {
    await refuseDamaged(database)
    for (const each of [...LOCK, ...PREPARE]) await database.execute(each)
  })
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

/** From here on no other process gets at the database, as a notification extension could, until it is closed. */
const LOCK = ['PRAGMA locking_mode = EXCLUSIVE', 'BEGIN EXCLUSIVE', 'COMMIT']

const PREPARE = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'CREATE TABLE IF NOT EXISTS rows (kind TEXT NOT NULL, id TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID',
]

/** Bindings hand on SQLite's sentences, and not all of them its numbers. */
const DAMAGED = /file is not a database|disk image is malformed/
const HELD = /database (?:table )?is locked/

const orClosed = async (database: OpenedDatabase, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    await database.close()
    if (DAMAGED.test(String(error)))
      throw storageProblem('storage_damaged', 'the database of the wallet is damaged', error)
    if (HELD.test(String(error)))
      throw storageProblem('storage_in_use', 'another process has this wallet open', error)
    throw error
  }
}

const refuseDamaged = async (database: OpenedDatabase): Promise<void> => {
  const [check] = (await database.execute('PRAGMA quick_check(1)')).rows
  if (Object.values(check ?? {}).includes('ok')) return
  throw storageProblem('storage_damaged', 'the database of the wallet is damaged')
}

const rowOf = (row: unknown): Row => {
  const { kind, id, content } = row as { kind: string; id: string; content: Uint8Array | ArrayBuffer }
  return { kind, id, content: content instanceof Uint8Array ? content : new Uint8Array(content) }
}
