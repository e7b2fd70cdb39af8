import type { Database } from 'better-sqlite3'
import type { KeyStoreMark } from '../key-store-port.ts'

/** The mark of the key file. Every method runs inside the caller's transaction. */
export class MarkRow {
  readonly #read
  readonly #set
  readonly #raise

  constructor(database: Database) {
    this.#read = database.prepare<[], KeyStoreMark>('SELECT id, count FROM mark')
    this.#set = database.prepare('INSERT OR REPLACE INTO mark (one, id, count) VALUES (1, ?, ?)')
    this.#raise = database.prepare('UPDATE mark SET count = count + 1')
  }

  read(): KeyStoreMark | null {
    return this.#read.get() ?? null
  }

  set(expected: KeyStoreMark | null, next: KeyStoreMark): boolean {
    const now = this.read()
    if (now?.id !== expected?.id || now?.count !== expected?.count) return false
    this.#set.run(next.id, next.count)
    return true
  }

  raise(): void {
    this.#raise.run()
  }
}
