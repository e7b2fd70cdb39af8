import type { Database } from 'better-sqlite3'
import type { DirectoryRow } from '../ports/directory.ts'

/**
 * The organisations that are deleted. On a cluster the shards come one by one, so a row of theirs may come after the
 * one with which all their rows went.
 */
export class Ended {
  readonly #database: Database
  readonly #kept = new Map<string, readonly string[]>()

  constructor(database: Database) {
    this.#database = database
    this.read()
  }

  /** Again after a rollback. */
  read(): void {
    this.#kept.clear()
    const all = this.#database
      .prepare<[], { tenant: string; kept: string }>('SELECT tenant, kept FROM ended')
      .all()
    for (const { tenant, kept } of all) this.#kept.set(tenant, JSON.parse(kept) as readonly string[])
  }

  add(tenant: string, kept: readonly string[]): void {
    if (this.#kept.has(tenant)) return
    this.#database.prepare('INSERT INTO ended (tenant, kept) VALUES (?, ?)').run(tenant, JSON.stringify(kept))
    this.#kept.set(tenant, kept)
  }

  /** Undefined of an id that is no deleted organisation's. */
  keptOf(id: string): readonly string[] | undefined {
    return this.#kept.get(id)
  }

  /** Whether the row went with its organisation. */
  has({ tenant, kind, filters }: DirectoryRow): boolean {
    if (this.#kept.size === 0) return false
    const kept = this.#kept.get(tenant)
    if (kept !== undefined) return !kept.includes(kind)
    const named = filters['tenantId']
    return typeof named === 'string' && this.#kept.has(named)
  }
}
