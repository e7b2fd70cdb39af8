import type { Database } from 'better-sqlite3'
import { type PortableTenantKey, toPortable } from './portable-keys.ts'

type TenantRow = { readonly tenant: string; readonly master: string; readonly wrapped: Buffer }
/** The same as in the port, with portable rows. */
export type PortableTenantKeyInsert =
  | { readonly is: 'written' }
  | { readonly is: 'exists'; readonly key: PortableTenantKey }
  | { readonly is: 'stale-master'; readonly current: string | null }

/**
 * Tenants' keys, and the id of the master key that wraps new ones. Every method runs inside the caller's transaction.
 */
export class TenantKeyTable {
  readonly #read
  readonly #list
  readonly #insert
  readonly #append
  readonly #overwrite
  readonly #rename
  readonly #current
  readonly #setCurrent

  constructor(database: Database) {
    const columns = 'SELECT tenant, master, wrapped FROM tenant_keys JOIN wrapped_keys USING (slot)'
    this.#read = database.prepare<[string], TenantRow>(`${columns} WHERE tenant = ?`)
    this.#list = database.prepare<[string, number], TenantRow>(
      `${columns} WHERE tenant > ? ORDER BY tenant LIMIT ?`,
    )
    this.#insert = database.prepare('INSERT INTO tenant_keys (tenant, master, slot) VALUES (?, ?, ?)')
    this.#append = database.prepare('INSERT INTO wrapped_keys (wrapped) VALUES (?)')
    this.#overwrite = database.prepare(
      'UPDATE wrapped_keys SET wrapped = ? WHERE slot = (SELECT slot FROM tenant_keys WHERE tenant = ?)',
    )
    this.#rename = database.prepare('UPDATE tenant_keys SET master = ? WHERE tenant = ?')
    this.#current = database.prepare<[], { current: string }>('SELECT current FROM master')
    this.#setCurrent = database.prepare('INSERT OR REPLACE INTO master (one, current) VALUES (1, ?)')
  }

  read(tenant: string): PortableTenantKey | null {
    const row = this.#read.get(tenant)
    return row === undefined ? null : toPortable(row)
  }

  list(after: string | null, limit: number): PortableTenantKey[] {
    return this.#list.all(after ?? '', limit).map(toPortable)
  }

  insert(key: PortableTenantKey): PortableTenantKeyInsert {
    const existing = this.read(key.tenant)
    if (existing !== null) return { is: 'exists', key: existing }
    const current = this.current()
    if (current !== key.master) return { is: 'stale-master', current }
    const slot = this.#append.run(Buffer.from(key.wrapped, 'latin1')).lastInsertRowid
    this.#insert.run(key.tenant, key.master, slot)
    return { is: 'written' }
  }

  rewrap(from: PortableTenantKey, next: PortableTenantKey): boolean {
    const existing = this.read(from.tenant)
    if (existing?.wrapped !== from.wrapped || existing.master !== from.master) return false
    if (this.current() !== next.master) return false
    this.#overwrite.run(Buffer.from(next.wrapped, 'latin1'), from.tenant)
    this.#rename.run(next.master, from.tenant)
    return true
  }

  current(): string | null {
    return this.#current.get()?.current ?? null
  }

  setCurrent(expected: string | null, next: string): boolean {
    if (this.current() !== expected) return false
    this.#setCurrent.run(next)
    return true
  }
}
