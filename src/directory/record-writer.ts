import type { Database } from 'better-sqlite3'
import type { DirectoryRow } from '../ports/directory.ts'
import type { Rev } from '../ports/list-replicas.ts'
import { fold } from '../domain/case-folded.ts'
import { shardOf } from '../domain/references.ts'
import type { RowCounts } from './row-counts.ts'
import { placeOf } from './place.ts'
import { isForSlot, SlottedTexts, textOf } from './slotted-texts.ts'

/** A record as the tables have it, with its texts case-folded. */
export type Written = {
  readonly scope: number
  readonly seq: number
  readonly place: number
  readonly state: string
  readonly search: string
  readonly externalId: string | null
}

/** In a cluster: which change of the shard it is, and whether it was made here or comes from another node's file as it is there. */
export type Change = { readonly shard: number; readonly rev: Rev; readonly isFromPeer: boolean }

type StoredRecord = {
  readonly seq: number
  readonly place: number
  readonly state: string
  readonly created_ms: number
  readonly search: string
  readonly text_slot: number | null
  readonly filters: string
  readonly finished_ms: number | null
  readonly steps: string | null
}

/** Far below all others, and six bytes in an index. */
const FIRST_PASSING_SEQ = -(2 ** 47)

const prepare = (database: Database) => ({
  findScope: database.prepare<[string, string], { scope: number }>(
    'SELECT scope FROM scopes WHERE tenant = ? AND kind = ?',
  ),
  addScope: database.prepare<[string, string]>('INSERT INTO scopes (tenant, kind) VALUES (?, ?)'),
  find: database.prepare<[number, string], StoredRecord>(
    `SELECT seq, place, state, created_ms, ${textOf('records')} AS search, text_slot, filters, finished_ms, steps
     FROM records WHERE scope = ? AND id = ?`,
  ),
  insert: database.prepare(
    `INSERT INTO records
       (state, updated_ms, external_id, search, text_slot, filters, finished_ms, steps,
        scope, id, place, created_ms, shard, rev, seq)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ),
  lastSeq: database.prepare<[], number>('SELECT max(seq) FROM records').pluck(),
  lastPassingSeq: database.prepare<[], number>('SELECT max(seq) FROM records WHERE seq < 0').pluck(),
  update: database.prepare(
    `UPDATE records
     SET state = ?, updated_ms = ?, external_id = ?, search = ?, text_slot = ?, filters = ?, finished_ms = ?,
       steps = ?
     WHERE seq = ?`,
  ),
  // Apart, because a node that is alone would pay for the index by changes, too.
  place: database.prepare<[number, number]>('UPDATE records SET rev = ? WHERE seq = ?'),
  addFacet: database.prepare<[number, string, number, number, string]>(
    'INSERT OR REPLACE INTO facets (scope, facet, place, seq, state) VALUES (?, ?, ?, ?, ?)',
  ),
  removeFacet: database.prepare<[number, string, number, number]>(
    'DELETE FROM facets WHERE scope = ? AND facet = ? AND place = ? AND seq = ?',
  ),
})

/**
 * Puts rows into the tables, each with its facets and its place in the counts. Every method runs inside a transaction
 * of the caller.
 */
export class RecordWriter {
  /** Set when a text was replaced, which may have been personal data: it still stands in the log of the file. */
  replacedText = false
  readonly #scopes = new Map<string, number>()
  readonly #sql: ReturnType<typeof prepare>
  readonly #texts: SlottedTexts
  readonly #counts: Pick<RowCounts, 'count' | 'textOf'>

  constructor(database: Database, counts: Pick<RowCounts, 'count' | 'textOf'>) {
    this.#sql = prepare(database)
    this.#texts = new SlottedTexts(database)
    this.#counts = counts
  }

  scopeOf(tenant: string, kind: string): number | null {
    const name = `${kind} ${tenant}`
    const known = this.#scopes.get(name) ?? this.#sql.findScope.get(tenant, kind)?.scope
    if (known === undefined) return null
    this.#scopes.set(name, known)
    return known
  }

  /** Forgets the known lists after a rollback, which may have undone the creation of one. */
  forget(): void {
    this.#scopes.clear()
  }

  /**
   * What comes later is newer, whatever its time says: rows of a shard come in the order of its log, and a record may
   * go on at a node whose clock is behind. Its erasure has to reach the lists all the same.
   */
  put(row: DirectoryRow, change: Change | null = null): Written {
    const { tenant, kind, id, state, createdAtMs, updatedAtMs } = row
    const scope = this.scopeOf(tenant, kind) ?? Number(this.#sql.addScope.run(tenant, kind).lastInsertRowid)
    const stored = this.#sql.find.get(scope, id)
    // A record is created only once, so its place never changes.
    const place = stored?.place ?? placeOf(createdAtMs, id)
    const externalId = row.externalId === null ? null : fold(row.externalId)
    const { search, isApart } = searchOf(row, externalId)
    const filters = JSON.stringify(row.filters)
    if (stored !== undefined && stored.search !== search && stored.search !== '') this.replacedText = true
    // A peer has been through all that.
    const finishedMs = change?.isFromPeer === true ? (row.finishedAtMs ?? null) : finishedSince(stored, row)
    const createdMs = stored?.created_ms ?? createdAtMs
    // A node of a release that did not count says nothing of them.
    const steps =
      row.steps === undefined ? (stored?.steps ?? null) : this.#counts.textOf(row.steps, createdMs)
    this.#counts.count({ scope, kind, createdMs }, stored ?? null, { state, steps })
    const slot = this.#slotOf(stored, search, isApart)
    const inRow = isApart ? '' : search
    const values = [state, updatedAtMs, externalId, inRow, slot, filters, finishedMs, steps]
    if (stored !== undefined) {
      this.#sql.update.run(...values, stored.seq)
      if (change !== null) this.#sql.place.run(change.rev, stored.seq)
    }
    const seq =
      stored?.seq ??
      this.#insert([
        ...values,
        scope,
        id,
        place,
        createdAtMs,
        change?.shard ?? shardOf(id),
        change?.rev ?? null,
        row.isPassing === true ? this.#nextPassingSeq() : this.#nextSeq(),
      ])
    if (stored !== undefined && stored.filters !== filters)
      for (const facet of facetsOf(JSON.parse(stored.filters) as Filters))
        this.#sql.removeFacet.run(scope, facet, place, seq)
    if (stored?.state !== state || stored.filters !== filters)
      for (const facet of facetsOf(row.filters)) this.#sql.addFacet.run(scope, facet, place, seq, state)
    return { scope, seq, place, state, search, externalId }
  }

  #slotOf(stored: StoredRecord | undefined, search: string, isApart: boolean): number | null {
    const slot = stored?.text_slot ?? null
    if (slot !== null && isApart && stored?.search === search) return slot
    return slot === null && !isApart ? null : this.#texts.put(slot, isApart ? search : '')
  }

  #insert(values: readonly unknown[]): number {
    return Number(this.#sql.insert.run(...values).lastInsertRowid)
  }

  #nextSeq(): number {
    return Math.max(0, this.#sql.lastSeq.get() ?? 0) + 1
  }

  /** Rows that go would leave the pages that they share with others half empty, and nobody fills these again. */
  #nextPassingSeq(): number {
    return (this.#sql.lastPassingSeq.get() ?? FIRST_PASSING_SEQ) + 1
  }
}

/** What is looked through, and whether it has a place of its own. */
const searchOf = (
  { id, searchText, isPassing }: DirectoryRow,
  externalId: string | null,
): { readonly search: string; readonly isApart: boolean } => {
  const search = fold(searchText)
  const isApart = isForSlot({ id, search, externalId, isPassing: isPassing === true })
  return { search: isApart ? search.replace(/\n+$/u, '') : search, isApart }
}

/** In the same state once more it has not finished again: what was swept stays swept, and what is erased keeps its time. */
const finishedSince = (
  stored: StoredRecord | undefined,
  { state, finishedAtMs = null }: DirectoryRow,
): number | null => {
  if (stored?.state !== state) return finishedAtMs
  const isErased = finishedAtMs !== null && finishedAtMs < 0
  return isErased && stored.finished_ms !== null ? -Math.abs(stored.finished_ms) : stored.finished_ms
}

export type Filters = DirectoryRow['filters']

export const facetOf = (name: string, value: string): string => `${name}=${value}`

export const facetsOf = (filters: Filters): readonly string[] =>
  Object.entries(filters).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => facetOf(name, value)),
  )
