import type { Database } from 'better-sqlite3'
import { OPERATORS } from '../domain/operators.ts'
import type { DirectoryRow, ListedRecord, RecordsOfTenant } from '../ports/directory.ts'
import type { RowCounts } from './row-counts.ts'
import { facetOf, facetsOf, type Filters } from './record-writer.ts'
import { SlottedTexts } from './slotted-texts.ts'

export type RecordsQuery = Parameters<RecordsOfTenant['recordsOf']>[0]
export type ListedQuery = Parameters<RecordsOfTenant['listed']>[0]

type Unlisted = {
  readonly scope: number
  readonly place: number
  readonly state: string
  readonly created_ms: number
  readonly filters: string
  readonly tenant: string
  readonly kind: string
  readonly steps: string | null
  readonly text_slot: number | null
}

const prepare = (database: Database) => ({
  scopes: database.prepare<[string], { scope: number; kind: string }>(
    'SELECT scope, kind FROM scopes WHERE tenant = ? ORDER BY scope',
  ),
  page: database.prepare<[number, number, number, number], ListedRecord>(
    `SELECT id, place, seq AS row FROM records INDEXED BY newest
     WHERE scope = ? AND (place, seq) > (?, ?) ORDER BY place, seq LIMIT ?`,
  ),
  pageNaming: database.prepare<[number, string, number, number, number], ListedRecord>(
    `SELECT id, facets.place, facets.seq AS row FROM facets JOIN records USING (seq)
     WHERE facets.scope = ? AND facet = ? AND (facets.place, facets.seq) > (?, ?)
     ORDER BY facets.place, facets.seq LIMIT ?`,
  ),
  has: database.prepare<[number, string]>('SELECT 1 FROM records WHERE scope = ? AND id = ?').pluck(),
  rowOf: database
    .prepare<[number, string], number>('SELECT seq FROM records WHERE scope = ? AND id = ?')
    .pluck(),
  rowOfAny: database
    .prepare<[string, string], number>(
      'SELECT seq FROM scopes CROSS JOIN records USING (scope) WHERE kind = ? AND id = ?',
    )
    .pluck(),
  find: database.prepare<[number], Unlisted>(
    `SELECT scope, place, state, created_ms, filters, tenant, kind, steps, text_slot
     FROM records JOIN scopes USING (scope) WHERE seq = ?`,
  ),
  remove: database.prepare<[number]>('DELETE FROM records WHERE seq = ?'),
  removeFacet: database.prepare<[number, string, number, number]>(
    'DELETE FROM facets WHERE scope = ? AND facet = ? AND place = ? AND seq = ?',
  ),
  slots: database
    .prepare<[number], number>('SELECT text_slot FROM records WHERE scope = ? AND text_slot IS NOT NULL')
    .pluck(),
  removeAll: ['facets', 'counts', 'records', 'scopes'].map((table) =>
    database.prepare<[number]>(`DELETE FROM ${table} WHERE scope = ?`),
  ),
})

/** Places of records before 1970 would be smaller, and there are none. */
const BEFORE_ALL = { place: -1, row: 0 }
const naming = (tenant: string): string => facetOf('tenantId', tenant)

/** Where a row stood, and whose it was. */
export type RemovedRow = {
  readonly scope: number
  readonly place: number
  readonly seq: number
  readonly tenant: string
}

/** All rows of one organisation, and how they go. */
export class TenantRows {
  readonly #database: Database
  readonly #sql: ReturnType<typeof prepare>
  readonly #texts: SlottedTexts
  readonly #counts: Pick<RowCounts, 'count' | 'removeList'>

  constructor(database: Database, counts: Pick<RowCounts, 'count' | 'removeList'>) {
    this.#database = database
    this.#sql = prepare(database)
    this.#texts = new SlottedTexts(database)
    this.#counts = counts
  }

  lists(tenant: string): readonly string[] {
    return this.#sql.scopes.all(tenant).map(({ kind }) => kind)
  }

  page({ tenant, kind, isOfOperators, after, limit }: RecordsQuery): readonly ListedRecord[] {
    const scope = this.#scopeOf(isOfOperators ? OPERATORS : tenant, kind)
    if (scope === null) return []
    const { place, row } = after ?? BEFORE_ALL
    return isOfOperators
      ? this.#sql.pageNaming.all(scope, naming(tenant), place, row, limit)
      : this.#sql.page.all(scope, place, row, limit)
  }

  listed({ tenant, kind, ids }: ListedQuery): readonly string[] {
    const scope = this.#scopeOf(tenant, kind)
    return scope === null ? [] : ids.filter((id) => this.#sql.has.get(scope, id) !== undefined)
  }

  /** The one row of a record in its list; null where it is not listed. Inside the transaction of the caller. */
  removeOne({ tenant, kind, id }: Pick<DirectoryRow, 'tenant' | 'kind' | 'id'>): RemovedRow | null {
    const seq = tenant === '' ? this.#sql.rowOfAny.get(kind, id) : this.#rowOf(tenant, kind, id)
    return seq === undefined ? null : this.#remove(seq)
  }

  /** Answers with the lists that the rows stood in. */
  remove(rows: readonly number[]): ReadonlySet<number> {
    return this.#database.transaction(() => new Set(rows.flatMap((seq) => this.#remove(seq)?.scope ?? [])))()
  }

  /**
   * Also what names it in the lists of operators, but their own of it. Inside the transaction of the caller. Answers with
   * the lists that have changed.
   */
  removeAllBut(tenant: string, kept: readonly string[]): readonly number[] {
    const gone = this.#sql.scopes.all(tenant).filter(({ kind }) => !kept.includes(kind))
    for (const list of gone) {
      this.#counts.removeList(list)
      for (const slot of this.#sql.slots.all(list.scope)) this.#texts.free(slot)
      for (const statement of this.#sql.removeAll) statement.run(list.scope)
    }
    const changed = this.#sql.scopes.all(OPERATORS).flatMap(({ scope }) => this.#removeNaming(scope, tenant))
    return [...gone.map(({ scope }) => scope), ...changed]
  }

  #removeNaming(scope: number, tenant: string): readonly number[] {
    const { place, row } = BEFORE_ALL
    const rows = this.#sql.pageNaming.all(scope, naming(tenant), place, row, -1)
    for (const each of rows) this.#remove(each.row)
    return rows.length === 0 ? [] : [scope]
  }

  #remove(seq: number): RemovedRow | null {
    const found = this.#sql.find.get(seq)
    if (found === undefined) return null
    const { scope, place, filters, tenant, text_slot: slot } = found
    this.#counts.count({ ...found, createdMs: found.created_ms }, found, null)
    for (const facet of facetsOf(JSON.parse(filters) as Filters))
      this.#sql.removeFacet.run(scope, facet, place, seq)
    if (slot !== null) this.#texts.free(slot)
    this.#sql.remove.run(seq)
    return { scope, place, seq, tenant }
  }

  #rowOf(tenant: string, kind: string, id: string): number | undefined {
    const scope = this.#scopeOf(tenant, kind)
    return scope === null ? undefined : this.#sql.rowOf.get(scope, id)
  }

  #scopeOf(tenant: string, kind: string): number | null {
    return this.#sql.scopes.all(tenant).find((each) => each.kind === kind)?.scope ?? null
  }
}
