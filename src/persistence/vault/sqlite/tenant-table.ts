import type { Database } from 'better-sqlite3'
import type { TenantKeyInsert, TenantKeyRow } from '../key-store-port.ts'
import { toPortable, type PortableTenantKey } from './portable-keys.ts'

const COLUMNS = 'SELECT tenant, master, wrapped FROM tenant_keys JOIN wrapped_keys USING (slot)'

const prepare = (database: Database) => ({
  read: database.prepare<[string], TenantKeyRow>(`${COLUMNS} WHERE tenant = ?`),
  list: database.prepare<[string, number], TenantKeyRow>(
    `${COLUMNS} WHERE tenant > ? ORDER BY tenant LIMIT ?`,
  ),
  insert: database.prepare('INSERT INTO tenant_keys (tenant, master, slot) VALUES (?, ?, ?)'),
  append: database.prepare('INSERT INTO wrapped_keys (wrapped) VALUES (?)'),
  overwrite: database.prepare(
    'UPDATE wrapped_keys SET wrapped = ? WHERE slot = (SELECT slot FROM tenant_keys WHERE tenant = ?)',
  ),
  delete: database.prepare('DELETE FROM tenant_keys WHERE tenant = ?'),
  rename: database.prepare('UPDATE tenant_keys SET master = ? WHERE tenant = ?'),
  current: database.prepare<[], { current: string }>('SELECT current FROM master'),
  setCurrent: database.prepare('INSERT OR REPLACE INTO master (one, current) VALUES (1, ?)'),
})

/** Tenants' keys, and the id of the master key that wraps new ones. Every method runs inside the caller's transaction. */
export class TenantKeyTable {
  readonly #sql: ReturnType<typeof prepare>

  constructor(database: Database) {
    this.#sql = prepare(database)
  }

  read(tenant: string): PortableTenantKey | null {
    const row = this.#sql.read.get(tenant)
    return row === undefined ? null : toPortable(row)
  }

  list(after: string | null, limit: number): PortableTenantKey[] {
    return this.#sql.list.all(after ?? '', limit).map(toPortable)
  }

  insert(key: PortableTenantKey): TenantKeyInsert<PortableTenantKey> {
    const existing = this.read(key.tenant)
    if (existing !== null) return { is: 'exists', key: existing }
    const current = this.current()
    if (current !== key.master) return { is: 'stale-master', current }
    const slot = this.#sql.append.run(Buffer.from(key.wrapped, 'latin1')).lastInsertRowid
    this.#sql.insert.run(key.tenant, key.master, slot)
    return { is: 'written' }
  }

  /** Its bytes are written over; the slot stays empty, as organisations are few. */
  erase(tenant: string): void {
    const row = this.#sql.read.get(tenant)
    if (row === undefined) return
    this.#sql.overwrite.run(Buffer.alloc(row.wrapped.length), tenant)
    this.#sql.delete.run(tenant)
  }

  rewrap(from: PortableTenantKey, next: PortableTenantKey): boolean {
    const existing = this.read(from.tenant)
    if (existing?.wrapped !== from.wrapped || existing.master !== from.master) return false
    if (this.current() !== next.master) return false
    this.#sql.overwrite.run(Buffer.from(next.wrapped, 'latin1'), from.tenant)
    this.#sql.rename.run(next.master, from.tenant)
    return true
  }

  current(): string | null {
    return this.#sql.current.get()?.current ?? null
  }

  setCurrent(expected: string | null, next: string): boolean {
    if (this.current() !== expected) return false
    this.#sql.setCurrent.run(next)
    return true
  }
}
