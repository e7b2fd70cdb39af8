import type { Database } from 'better-sqlite3'
import { WRAPPED_BYTES } from '../key-crypto.ts'
import type { DataKeyRow, Gone } from '../key-store-port.ts'
import { toPortable, type PortableDataKey } from './portable-keys.ts'

const prepare = (database: Database) => ({
  insert: database.prepare(
    'INSERT INTO data_keys (record, key_id, tenant, connection, parent_key_id, slot) VALUES (?, ?, ?, ?, ?, ?)',
  ),
  read: database.prepare<[string], DataKeyRow>(
    `SELECT record, key_id AS keyId, tenant, connection, parent_key_id AS parentKeyId, wrapped
     FROM data_keys JOIN wrapped_keys USING (slot) WHERE record = ? ORDER BY key_id`,
  ),
  slots: database.prepare<[string], { slot: number }>('SELECT slot FROM data_keys WHERE record = ?'),
  delete: database.prepare('DELETE FROM data_keys WHERE record = ?'),
  append: database.prepare('INSERT INTO wrapped_keys (wrapped) VALUES (?)'),
  overwrite: database.prepare('UPDATE wrapped_keys SET wrapped = ? WHERE slot = ?'),
  takeFree: database.prepare<[], { slot: number }>(
    'DELETE FROM free_slots WHERE slot = (SELECT slot FROM free_slots LIMIT 1) RETURNING slot',
  ),
  free: database.prepare('INSERT INTO free_slots (slot) VALUES (?)'),
  why: database.prepare<[string], { why: Gone }>('SELECT why FROM gone WHERE record = ?'),
  erased: database.prepare("INSERT OR REPLACE INTO gone (record, why) VALUES (?, 'erased')"),
  lost: database.prepare("INSERT OR IGNORE INTO gone (record, why) VALUES (?, 'lost')"),
})

/** Data keys in the key file. Every method runs inside the caller's transaction. */
export class DataKeyTable {
  readonly #sql: ReturnType<typeof prepare>
  /** False while no slot can be free, which spares a lookup for every insert. */
  #mayHaveFree = true

  constructor(database: Database) {
    this.#sql = prepare(database)
  }

  /** A repeated insert of the same key does nothing, and so does one that comes after the erasure. */
  insert(key: PortableDataKey): PortableDataKey[] | Gone {
    const found = this.read(key.record)
    if (typeof found === 'string') return found
    const others = found.filter(({ keyId }) => keyId !== key.keyId)
    if (others.length < found.length) return others
    const slot = this.#place(Buffer.from(key.wrapped, 'latin1'))
    this.#sql.insert.run(key.record, key.keyId, key.tenant, key.connection, key.parentKeyId, slot)
    return others
  }

  read(record: string): PortableDataKey[] | Gone {
    return this.#sql.why.get(record)?.why ?? this.#sql.read.all(record).map(toPortable)
  }

  erase(record: string): void {
    for (const { slot } of this.#sql.slots.all(record)) {
      this.#sql.overwrite.run(Buffer.alloc(WRAPPED_BYTES), slot)
      this.#sql.free.run(slot)
      this.#mayHaveFree = true
    }
    this.#sql.delete.run(record)
    this.#sql.erased.run(record)
  }

  markLost(record: string): void {
    this.#sql.lost.run(record)
  }

  #place(wrapped: Buffer): number | bigint {
    if (wrapped.length !== WRAPPED_BYTES)
      throw new RangeError(`a wrapped data key has ${WRAPPED_BYTES} bytes`)
    const free = this.#mayHaveFree ? this.#sql.takeFree.get() : undefined
    if (free === undefined) {
      this.#mayHaveFree = false
      return this.#sql.append.run(wrapped).lastInsertRowid
    }
    this.#sql.overwrite.run(wrapped, free.slot)
    return free.slot
  }
}
