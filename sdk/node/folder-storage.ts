import { mkdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import type { Change, OpenStorage, Row, WalletStorage } from '../core/ports.ts'
import { takeOverTestWallet } from './test-wallet-rows.ts'

const FILE = 'wallet.sqlite'
const FILES = ['', '-wal', '-shm', '-journal'].map((suffix) => FILE + suffix)

/** A wallet in a folder of its own, which one process at a time may use. */
export const folderStorage = (path: string): WalletStorage => {
  const folder = resolve(path)
  return {
    name: folder,
    async open() {
      await mkdir(folder, { recursive: true })
      return await openRows(join(folder, FILE))
    },
    async erase() {
      for (const file of FILES) await rm(join(folder, file), { force: true })
    },
  }
}

const openRows = async (file: string): Promise<OpenStorage> => {
  const database = new Database(file, { timeout: 0 })
  try {
    await prepare(database, file)
  } catch (error) {
    database.close()
    throw error
  }
  const select = database.prepare('SELECT kind, id, content FROM rows')
  const replace = database.prepare('INSERT OR REPLACE INTO rows (kind, id, content) VALUES (?, ?, ?)')
  const remove = database.prepare('DELETE FROM rows WHERE kind = ? AND id = ?')
  const write = database.transaction((changes: readonly Change[]) => {
    for (const { kind, id, content } of changes) {
      if (content === null) remove.run(kind, id)
      else replace.run(kind, id, content)
    }
  })
  return {
    readAll: async () => select.all() as Row[],
    async write(changes) {
      write.immediate(changes)
    },
    async close() {
      database.close()
    },
  }
}

/** A file that is damaged is found out before anything is written to it. */
const prepare = async (database: Database.Database, file: string): Promise<void> => {
  if ((await stat(file)).size > 0) {
    const found = database.pragma('quick_check(1)', { simple: true })
    if (found !== 'ok') throw new Error(`the database of the wallet is damaged: ${String(found)}`)
  }
  database.pragma('locking_mode = EXCLUSIVE')
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  // What was in clear once is not left in pages that are free.
  database.pragma('secure_delete = ON')
  database.transaction(() => {
    database.exec(
      'CREATE TABLE IF NOT EXISTS rows (kind TEXT NOT NULL, id TEXT NOT NULL, content BLOB NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID',
    )
    takeOverTestWallet(database)
  })()
}
