import type { Database } from 'better-sqlite3'
import type { DirectoryRow } from '../ports/directory.ts'
import { dayOf, hourOf } from './place.ts'
import { type Said, saidAfter, saidIn, stepsText } from './said-text.ts'

/** In the place of an hour, for all organisations together: the state that records are in now. */
export const NOW = -1
/** In the place of an organisation: all of them together. */
export const ALL_TENANTS = ''
/** Lists whose old hours go in one step, a few milliseconds. */
const LISTS_AT_ONCE = 500

/** What a row says about its record; `steps` as it stands in the file, null where nothing is known of them. */
export type CountedRow = { readonly state: string; readonly steps: string | null }

type List = { readonly scope: number; readonly kind: string }
type HourChange = { readonly scope: number; readonly hour: number; readonly step: number; records: number }
type DayChange = { readonly scope: number; readonly day: number; readonly state: string; records: number }

/** More names of states than there ever are. */
const STEPS_MAX = 2 ** 20

const prepare = (database: Database) => ({
  steps: database.prepare<[], { step: number; name: string }>('SELECT step, name FROM steps'),
  addStep: database.prepare<[string]>('INSERT INTO steps (name) VALUES (?)'),
  findScope: database
    .prepare<[string, string], number>('SELECT scope FROM scopes WHERE tenant = ? AND kind = ?')
    .pluck(),
  addScope: database.prepare<[string, string]>('INSERT INTO scopes (tenant, kind) VALUES (?, ?)'),
  addDay: database.prepare<[number, string, number, number]>(
    `INSERT INTO counts (scope, state, day, records) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET records = records + excluded.records`,
  ),
  addHour: database.prepare<[number, number, number, number]>(
    `INSERT INTO hours (scope, hour, step, records) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET records = records + excluded.records`,
  ),
  takeHours: database.prepare<[number, number, number]>(
    `INSERT INTO hours (scope, hour, step, records)
     SELECT ?, hour, step, -records FROM hours WHERE scope = ? AND hour >= ?
     ON CONFLICT DO UPDATE SET records = records + excluded.records`,
  ),
  takeNow: database.prepare<[number, number, number]>(
    `INSERT INTO hours (scope, hour, step, records)
     SELECT ?, ?, step, -sum(records) FROM counts JOIN steps ON name = state WHERE scope = ? GROUP BY step
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
 * Counts what rows say: in which states their records are, by the day they were created, and when they came into them, by
 * the hour. The counts follow from the rows of the file alone, so whatever writes, replaces or takes out rows keeps them
 * right: the log, a repetition of it, a rebuild, another node's file. What the rows of one transaction change is added up
 * in memory, and written once for each state and hour or day. Every method runs inside a transaction of the caller.
 */
export class RowCounts {
  readonly #sql: ReturnType<typeof prepare>
  readonly #steps = new Map<string, number>()
  readonly #names = new Map<number, string>()
  readonly #listsOfAll = new Map<string, number>()
  /** By list, and by hour and state. */
  readonly #hours = new Map<number, Map<number, HourChange>>()
  /** By list and state, in which the records of a transaction are mostly of one day. */
  readonly #days = new Map<number, Map<string, DayChange>>()
  #horizon = 0

  constructor(database: Database) {
    this.#sql = prepare(database)
    this.read()
  }

  /** Again after a rollback. */
  read(): void {
    this.#hours.clear()
    this.#days.clear()
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
  textOf(steps: NonNullable<DirectoryRow['steps']>, createdMs: number): string {
    return stepsText(steps, this.#numberOf, hourOf(createdMs))
  }

  /** The same for another node's file, by their names. */
  stepsIn(text: string, createdMs: number): readonly (readonly [hour: number, name: string])[] {
    return saidIn(text, hourOf(createdMs)).map(([hour, step]) => [hour, this.nameOf(step)])
  }

  /** Null in place of a row that is not there. */
  count(
    list: List & { readonly createdMs: number },
    before: CountedRow | null,
    after: CountedRow | null,
  ): void {
    const all = this.#listOfAll(list.kind)
    if (before?.state !== after?.state) {
      const day = dayOf(list.createdMs)
      if (before !== null) this.#countState(list.scope, all, day, before.state, -1)
      if (after !== null) this.#countState(list.scope, all, day, after.state, 1)
    }
    const [had, has] = [before?.steps ?? '', after?.steps ?? '']
    if (had === has) return
    const firstHour = hourOf(list.createdMs)
    const more = saidAfter(had, has, firstHour)
    if (more === null) for (const said of saidIn(had, firstHour)) this.#countHour(list.scope, all, said, -1)
    for (const said of more ?? saidIn(has, firstHour)) this.#countHour(list.scope, all, said, 1)
  }

  /** The list goes, with all that it has: before its records and their counts do. */
  removeList({ scope, kind }: List): void {
    this.flush()
    const all = this.#listOfAll(kind)
    this.#sql.takeNow.run(all, NOW, scope)
    this.#sql.takeHours.run(all, scope, this.#horizon)
    this.#sql.removeAll.run(scope)
  }

  /** At the end of each transaction. */
  flush(): void {
    for (const changes of this.#hours.values())
      for (const { scope, hour, step, records } of changes.values())
        if (records !== 0) this.#sql.addHour.run(scope, hour, step, records)
    for (const changes of this.#days.values())
      for (const { scope, state, day, records } of changes.values())
        if (records !== 0) this.#sql.addDay.run(scope, state, day, records)
    this.#hours.clear()
    this.#days.clear()
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

  #countState(scope: number, all: number, day: number, state: string, records: number): void {
    this.#addHour(all, NOW, this.#numberOf(state), records)
    let changes = this.#days.get(scope)
    if (changes === undefined) this.#days.set(scope, (changes = new Map<string, DayChange>()))
    const known = changes.get(state)
    if (known?.day === day) {
      known.records += records
      return
    }
    if (known !== undefined && known.records !== 0)
      this.#sql.addDay.run(scope, state, known.day, known.records)
    changes.set(state, { scope, day, state, records })
  }

  #countHour(scope: number, all: number, [hour, step]: Said[number], records: number): void {
    if (hour < this.#horizon) return
    this.#addHour(scope, hour, step, records)
    this.#addHour(all, hour, step, records)
  }

  #addHour(scope: number, hour: number, step: number, records: number): void {
    let changes = this.#hours.get(scope)
    if (changes === undefined) this.#hours.set(scope, (changes = new Map<number, HourChange>()))
    const key = hour * STEPS_MAX + step
    const known = changes.get(key)
    if (known === undefined) changes.set(key, { scope, hour, step, records })
    else known.records += records
  }

  #listOfAll(kind: string): number {
    const known = this.#listsOfAll.get(kind) ?? this.#sql.findScope.get(ALL_TENANTS, kind)
    const scope = known ?? Number(this.#sql.addScope.run(ALL_TENANTS, kind).lastInsertRowid)
    this.#listsOfAll.set(kind, scope)
    return scope
  }

  readonly #numberOf = (name: string): number => {
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
