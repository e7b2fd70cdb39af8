import type { Database } from 'better-sqlite3'
import { epochOfRev, firstRevOf, type Rev, type RowKey, type TermToOpen } from '../ports/list-replicas.ts'

/** Further back a file does not know how histories parted, and a shard is filled anew. */
const TERMS_MAX = 32
/** A file that missed more rows that went has its shard filled anew. */
const TOMBSTONES_MAX = 1_024

type State = { readonly rev: Rev; readonly floor: Rev; readonly filling: number }
export type Term = { readonly epoch: number; readonly base: Rev }
export type Tombstone = RowKey & { readonly rev: Rev }
export type Parting =
  | { readonly kind: 'none' | 'ahead' | 'anew' }
  | { readonly kind: 'back'; readonly to: Rev }

const UNKNOWN: State = { rev: 0, floor: 0, filling: 0 }

const prepare = (database: Database) => ({
  all: database.prepare<[], State & { shard: number }>('SELECT shard, rev, floor, filling FROM replicas'),
  find: database.prepare<[number], State>('SELECT rev, floor, filling FROM replicas WHERE shard = ?'),
  save: database.prepare<[number, number, number, number]>(
    'INSERT OR REPLACE INTO replicas (shard, rev, floor, filling) VALUES (?, ?, ?, ?)',
  ),
  terms: database.prepare<[number], Term>('SELECT epoch, base FROM terms WHERE shard = ? ORDER BY epoch'),
  addTerm: database.prepare<[number, number, number]>(
    'INSERT OR REPLACE INTO terms (shard, epoch, base) VALUES (?, ?, ?)',
  ),
  dropTerms: database.prepare<[number, number, number]>(
    'DELETE FROM terms WHERE shard = ? AND (base > ? OR epoch > ?)',
  ),
  dropOldTerms: database.prepare<[number, number]>('DELETE FROM terms WHERE shard = ? AND epoch <= ?'),
  bury: database.prepare<[number, number, string, string, string]>(
    'INSERT OR REPLACE INTO tombstones (shard, rev, tenant, kind, id) VALUES (?, ?, ?, ?, ?)',
  ),
  graves: database.prepare<[number, number, number], Tombstone>(
    'SELECT rev, tenant, kind, id FROM tombstones WHERE shard = ? AND rev > ? AND rev <= ? ORDER BY rev',
  ),
  tooOld: database
    .prepare<[number, number], number>(
      'SELECT rev FROM tombstones WHERE shard = ? ORDER BY rev DESC LIMIT 1 OFFSET ?',
    )
    .pluck(),
  dropGraves: database.prepare<[number, number, number]>(
    'DELETE FROM tombstones WHERE shard = ? AND rev >= ? AND rev <= ?',
  ),
  adopt: database.prepare<[number], { seq: number }>('SELECT seq FROM records WHERE shard = ? AND rev = 0'),
  setRev: database.prepare<[number, number]>('UPDATE records SET rev = ? WHERE seq = ?'),
})

/**
 * Up to where this file has each shard, and by which history: every owner begins a term at the place that its file had
 * reached, so that a file which heard of changes that the next owner never had is found out. Every method runs inside a
 * transaction of the caller.
 */
export class ReplicaStates {
  readonly #sql: ReturnType<typeof prepare>

  constructor(database: Database) {
    this.#sql = prepare(database)
  }

  all(): readonly (State & { readonly shard: number })[] {
    return this.#sql.all.all()
  }

  of(shard: number): State {
    return this.#sql.find.get(shard) ?? UNKNOWN
  }

  save(shard: number, { rev, floor, filling }: State): void {
    this.#sql.save.run(shard, rev, floor, filling)
  }

  terms(shard: number): readonly Term[] {
    return this.#sql.terms.all(shard)
  }

  setTerms(shard: number, terms: readonly Term[]): void {
    this.#sql.dropOldTerms.run(shard, Number.MAX_SAFE_INTEGER)
    for (const { epoch, base } of terms) this.#sql.addTerm.run(shard, epoch, base)
  }

  /** Counts changes from the newest one on; null where the file has heard of a later owner, or the term was not opened. */
  counting(shard: number, epoch: number): { readonly next: () => Rev; readonly save: () => Rev } | null {
    const state = this.of(shard)
    if (epochOfRev(state.rev) !== epoch) return null
    let { rev } = state
    return {
      next: () => ++rev,
      save: () => {
        this.save(shard, { ...state, rev })
        return rev
      },
    }
  }

  /** Null when the file has heard of a later owner. What a fill that was cut off has not mentioned again stays: it may be current. */
  openTerm({ shard, epoch }: TermToOpen): Rev | null {
    const state = this.of(shard)
    const known = epochOfRev(state.rev)
    if (known > epoch) return null
    if (known === epoch && state.filling === 0) return state.rev
    this.goBack(shard, state.rev)
    this.#sql.addTerm.run(shard, epoch, state.rev)
    const terms = this.terms(shard)
    const oldest = terms.at(-TERMS_MAX - 1)
    if (oldest !== undefined) this.#sql.dropOldTerms.run(shard, oldest.epoch)
    let rev = firstRevOf(epoch)
    if (state.filling === 1)
      for (const { seq } of this.#sql.adopt.all(shard)) this.#sql.setRev.run(++rev, seq)
    this.save(shard, { rev, floor: state.filling === 1 ? rev : state.floor, filling: 0 })
    return rev
  }

  /** Whether another file that stands at `after` has the same history up to there. */
  partingFrom(shard: number, after: Rev, isFilling: boolean, { rev, floor }: State): Parting {
    if (after === 0) return { kind: 'none' }
    const terms = this.terms(shard)
    const epoch = epochOfRev(after)
    const next = terms.find((term) => term.epoch > epoch)
    if (next === undefined && after > rev) return { kind: 'ahead' }
    const isUnknown = next !== undefined && next === terms[0] && epochOfRev(next.base) > epoch
    if (isUnknown && !isFilling) return { kind: 'anew' }
    if (!isUnknown && next !== undefined && next.base < after) return { kind: 'back', to: next.base }
    return { kind: after < floor && !isFilling ? 'anew' : 'none' }
  }

  /** This file may have left the other one's history earlier than the other one knows: with a term that the other never had. */
  lastShared(shard: number, to: Rev): Rev {
    const left = this.terms(shard).find(({ epoch }) => epoch > epochOfRev(to))
    return left === undefined ? to : Math.min(to, left.base)
  }

  /** Forgets what came after a place. */
  goBack(shard: number, to: Rev): void {
    this.#sql.dropTerms.run(shard, to, epochOfRev(to))
    this.#sql.dropGraves.run(shard, to + 1, Number.MAX_SAFE_INTEGER)
  }

  bury(shard: number, { rev, tenant, kind, id }: Tombstone): void {
    this.#sql.bury.run(shard, rev, tenant, kind, id)
  }

  tombstones(shard: number, after: Rev, upTo: Rev = Number.MAX_SAFE_INTEGER): readonly Tombstone[] {
    return this.#sql.graves.all(shard, after, upTo)
  }

  dropOldTombstones(shard: number): void {
    const rev = this.#sql.tooOld.get(shard, TOMBSTONES_MAX)
    if (rev === undefined) return
    this.#sql.dropGraves.run(shard, 0, rev)
    this.save(shard, { ...this.of(shard), floor: rev })
  }
}
