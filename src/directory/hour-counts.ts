import type { Database } from 'better-sqlite3'
import type { DirectoryRow } from '../ports/directory.ts'
import { HOUR_MS } from './place.ts'
import { type Said, saidIn, textOf } from './said-text.ts'

/** In the place of an hour: the state that records are in now. */
export const NOW = -1
/** In the place of an organisation: all of them together. */
export const ALL_TENANTS = ''
/** Lists whose old hours go in one step, a few milliseconds. */
const LISTS_AT_ONCE = 500

/** What a row says about its record; `steps` as it stands in the file, null where nothing is known of them. */
export type CountedRow = { readonly state: string; readonly steps: string | null }

type List = { readonly scope: number; readonly kind: string }
type Change = { readonly scope: number; readonly hour: number; readonly step: number; records: number }

const prepare = (database: Database) => ({
  steps: database.prepare<[], { step: number; name: string }>('SELECT step, name FROM steps'),
  addStep: database.prepare<[string]>('INSERT INTO steps (name) VALUES (?)'),
  findScope: database
    .prepare<[string, string], number>('SELECT scope FROM scopes WHERE tenant = ? AND kind = ?')
    .pluck(),
  addScope: database.prepare<[string, string]>('INSERT INTO scopes (tenant, kind) VALUES (?, ?)'),
  add: database.prepare<[number, number, number, number]>(
    `INSERT INTO hours (scope, hour, step, records) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET records = records + excluded.records`,
  ),
  takeFromAll: database.prepare<[number, number, number, number]>(
    `INSERT INTO hours (scope, hour, step, records)
     SELECT ?, hour, step, -records FROM hours WHERE scope = ? AND (hour = ? OR hour >= ?)
     ON CONFLICT DO UPDATE SET records = records + excluded.records`,
  ),
  removeAll: database.prepare<[number]>('DELETE FROM hours WHERE scope = ?'),
  horizon: database.prepare<[], number>('SELECT hour FROM horizon').pluck(),
  setHorizon: database.prepare<[number]>('UPDATE horizon SET hour = ?'),
  scopesAfter: database
    .prepare<[number, number], number>('SELECT scope FROM scopes WHERE scope > ? ORDER BY scope LIMIT ?')
    .pluck(),
  dropOld: database.prepare<[number, number, number]>(
    'DELETE FROM hours WHERE scope = ? AND hour > ? AND hour < ?',
  ),
})

/**
 * Counts what rows say: when their records came into their states. The counts follow from the rows of the file alone, so
 * whatever writes, replaces or takes out rows keeps them right: the log, a repetition of it, a rebuild, another node's
 * file. What the rows of one transaction change is added up in memory, and written once for each hour and state. Every
 * method runs inside a transaction of the caller.
 */
export class HourCounts {
  readonly #sql: ReturnType<typeof prepare>
  readonly #steps = new Map<string, number>()
  readonly #names = new Map<number, string>()
  readonly #listsOfAll = new Map<string, number>()
  readonly #changes = new Map<string, Change>()
  #horizon = 0

  constructor(database: Database) {
    this.#sql = prepare(database)
    this.read()
  }

  /** Again after a rollback. */
  read(): void {
    this.#changes.clear()
    this.#listsOfAll.clear()
    this.#steps.clear()
    this.#names.clear()
    for (const { step, name } of this.#sql.steps.all()) this.#know(step, name)
    this.#horizon = this.#sql.horizon.get() ?? 0
  }

  /** The first hour that is counted. */
  get horizon(): number {
    return this.#horizon
  }

  nameOf(step: number): string {
    return this.#names.get(step) ?? ''
  }

  /** The steps of a row as the file has them. */
  textOf(steps: NonNullable<DirectoryRow['steps']>): string {
    return textOf(steps.map(([name, atMs]) => [Math.floor(atMs / HOUR_MS), this.#stepOf(name)]))
  }

  /** The same for another node's file, by their names. */
  stepsIn(text: string): readonly (readonly [hour: number, name: string])[] {
    return saidIn(text).map(([hour, step]) => [hour, this.nameOf(step)])
  }

  /** Null in place of a row that is not there. */
  count(list: List, before: CountedRow | null, after: CountedRow | null): void {
    const [was, is] = [this.#saidBy(before), this.#saidBy(after)]
    let same = 0
    for (; same < was.length && same < is.length; same++)
      if (was[same]?.[0] !== is[same]?.[0] || was[same]?.[1] !== is[same]?.[1]) break
    for (const said of was.slice(same)) this.#add(list, said, -1)
    for (const said of is.slice(same)) this.#add(list, said, 1)
  }

  /** The list goes, with all that it has. */
  removeList({ scope, kind }: List): void {
    this.flush()
    this.#sql.takeFromAll.run(this.#listOfAll(kind), scope, NOW, this.#horizon)
    this.#sql.removeAll.run(scope)
  }

  /** At the end of each transaction. */
  flush(): void {
    for (const { scope, hour, step, records } of this.#changes.values())
      if (records !== 0) this.#sql.add.run(scope, hour, step, records)
    this.#changes.clear()
  }

  /** Earlier hours are counted neither up nor down from now on; false where they are not anyhow. */
  setHorizon(hour: number): boolean {
    if (hour <= this.#horizon) return false
    this.#sql.setHorizon.run(hour)
    this.#horizon = hour
    return true
  }

  /** Drops what is earlier, of some lists after this one; answers with the last of them, null when there are no more. */
  dropOld(after: number): number | null {
    const scopes = this.#sql.scopesAfter.all(after, LISTS_AT_ONCE)
    for (const scope of scopes) this.#sql.dropOld.run(scope, NOW, this.#horizon)
    return scopes.length < LISTS_AT_ONCE ? null : (scopes.at(-1) ?? null)
  }

  /** The state that it is in now stands last. */
  #saidBy(row: CountedRow | null): Said {
    return row === null || row.steps === null
      ? []
      : [...saidIn(row.steps), [NOW, this.#stepOf(row.state)] as const]
  }

  #add({ scope, kind }: List, [hour, step]: Said[number], records: number): void {
    if (hour !== NOW && hour < this.#horizon) return
    for (const each of [scope, this.#listOfAll(kind)]) {
      const key = `${each} ${hour} ${step}`
      const known = this.#changes.get(key)
      if (known === undefined) this.#changes.set(key, { scope: each, hour, step, records })
      else known.records += records
    }
  }

  #listOfAll(kind: string): number {
    const known = this.#listsOfAll.get(kind) ?? this.#sql.findScope.get(ALL_TENANTS, kind)
    const scope = known ?? Number(this.#sql.addScope.run(ALL_TENANTS, kind).lastInsertRowid)
    this.#listsOfAll.set(kind, scope)
    return scope
  }

  #stepOf(name: string): number {
    const known = this.#steps.get(name)
    if (known !== undefined) return known
    const step = Number(this.#sql.addStep.run(name).lastInsertRowid)
    this.#know(step, name)
    return step
  }

  #know(step: number, name: string): void {
    this.#steps.set(name, step)
    this.#names.set(step, name)
  }
}
