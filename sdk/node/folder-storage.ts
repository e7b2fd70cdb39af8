import { mkdir, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import type { Change, OpenStorage, Row, WalletStorage } from '../core/ports.ts'
import { storageProblem } from '../core/rows/storage-problem.ts'
import { refuseForeignBinding } from './sqlite-binding.ts'
import { isHeld, withStorageCodes } from './sqlite-failures.ts'
import { takeOverTestWallet } from './test-wallet-rows.ts'

const FILE = 'wallet.sqlite'
const LOG = '-wal'
const FILES = ['', LOG, '-shm', '-journal'].map((suffix) => FILE + suffix)

/** A wallet in a folder of its own, which one process at a time may use. */
export const folderStorage = (path: string): WalletStorage => {
  const folder = resolve(path)
  const file = join(folder, FILE)
  return {
    name: folder,
    async open() {
      refuseForeignBinding()
      await mkdir(folder, { recursive: true })
      await refuseDamaged(file)
      return withStorageCodes(() => openRows(file))
    },
    async erase() {
      if ((await sizeOf(file)) > 0) withStorageCodes(() => refuseHeld(file))
      for (const each of FILES) await rm(join(folder, each), { force: true })
    },
  }
}

const openRows = (file: string): OpenStorage => {
  const database = new Database(file, { timeout: 0 })
  try {
    prepare(database)
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
    readAll: async () => withStorageCodes(() => select.all() as Row[]),
    write: async (changes) => write.immediate(changes),
    async close() {
      database.close()
    },
  }
}

/** From here on no other process gets at the file, until it is closed. */
const LOCK = 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT'

const prepare = (database: Database.Database): void => {
  database.exec(LOCK)
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

/** Nothing is written to a file that is damaged: this connection reads alone, and leaves the log as it is. */
const refuseDamaged = async (file: string): Promise<void> => {
  if ((await sizeOf(file)) === 0) {
    // SQLite would take the log for that of another database, and delete it with all that is in it.
    if ((await sizeOf(file + LOG)) === 0) return
    throw storageProblem('storage_damaged', 'the database of the wallet is gone, and only its log is there')
  }
  const found = withStorageCodes(() => {
    const database = new Database(file, { readonly: true, timeout: 0 })
    try {
      return database.pragma('quick_check(1)', { simple: true })
    } finally {
      database.close()
    }
  })
  if (found === 'ok') return
  throw storageProblem('storage_damaged', `the database of the wallet is damaged: ${String(found)}`)
}

/** What is open elsewhere is not taken away there. */
const refuseHeld = (file: string): void => {
  const database = new Database(file, { timeout: 0 })
  try {
    database.exec(LOCK)
  } catch (error) {
    if (isHeld(error)) throw error
  } finally {
    database.close()
  }
}

const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).size
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}
