import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type { ListOverview, OldestWaiting, OverviewQuery } from '../ports/list-overview.ts'
import { ALL_TENANTS, type HourCounts, NOW } from './hour-counts.ts'

/** Lists of organisations that are looked at in one go: some milliseconds, between which other lists are answered. */
const LISTS_AT_ONCE = 500

type Counted = { readonly hour: number; readonly step: number; readonly records: number }
type Waiting = Omit<OldestWaiting, 'tenant' | 'state'>

const prepare = (database: Database) => ({
  findScope: database
    .prepare<[string, string], number>('SELECT scope FROM scopes WHERE tenant = ? AND kind = ?')
    .pluck(),
  scopesOf: database.prepare<[string, number, number], { scope: number; tenant: string }>(
    'SELECT scope, tenant FROM scopes WHERE kind = ? AND scope > ? ORDER BY scope LIMIT ?',
  ),
  hours: database.prepare<[number, number, number], Counted>(
    'SELECT hour, step, records FROM hours WHERE scope = ? AND hour >= ? AND hour < ?',
  ),
  oldest: database.prepare<[number, string], Waiting>(
    `SELECT id, created_ms AS createdAtMs FROM records INDEXED BY by_state
     WHERE scope = ? AND state = ? ORDER BY place LIMIT 1`,
  ),
})

/** Reads what was counted, and finds the oldest record that waits by the index of its state. */
export class OverviewReader {
  readonly #sql: ReturnType<typeof prepare>
  readonly #hours: Pick<HourCounts, 'nameOf' | 'horizon'>

  constructor(database: Database, hours: Pick<HourCounts, 'nameOf' | 'horizon'>) {
    this.#sql = prepare(database)
    this.#hours = hours
  }

  async read(query: OverviewQuery): Promise<readonly ListOverview[]> {
    const lists: ListOverview[] = []
    for (const { kind, waiting } of query.lists) {
      const scope = this.#sql.findScope.get(query.tenant ?? ALL_TENANTS, kind)
      const counted = scope === undefined ? { now: {}, counts: {} } : this.#counted(scope, query)
      const oldest =
        query.tenant === null
          ? await this.#oldestOfAll(kind, waiting)
          : this.#oldestIn({ scope: scope ?? 0, tenant: query.tenant }, waiting)
      lists.push({ kind, ...counted, oldest })
    }
    return lists
  }

  #counted(
    scope: number,
    { fromHour, toHour, hoursEach }: OverviewQuery,
  ): Pick<ListOverview, 'now' | 'counts'> {
    const now: Record<string, number> = {}
    for (const { step, records } of this.#sql.hours.all(scope, NOW, NOW + 1))
      if (records !== 0) now[this.#hours.nameOf(step)] = records
    const spans = Math.ceil((toHour - fromHour) / hoursEach)
    const counts: Record<string, number[]> = {}
    for (const { hour, step, records } of this.#sql.hours.all(
      scope,
      Math.max(fromHour, this.#hours.horizon),
      toHour,
    )) {
      if (records === 0) continue
      const of = (counts[this.#hours.nameOf(step)] ??= Array.from({ length: spans }, () => 0))
      const span = Math.floor((hour - fromHour) / hoursEach)
      of[span] = (of[span] ?? 0) + records
    }
    return { now, counts }
  }

  #oldestIn(
    { scope, tenant }: { readonly scope: number; readonly tenant: string },
    waiting: readonly string[],
  ): OldestWaiting | null {
    let oldest: OldestWaiting | null = null
    for (const state of waiting) {
      const found = this.#sql.oldest.get(scope, state)
      if (found !== undefined) oldest = earlier(oldest, { ...found, tenant, state })
    }
    return oldest
  }

  async #oldestOfAll(kind: string, waiting: readonly string[]): Promise<OldestWaiting | null> {
    let oldest: OldestWaiting | null = null
    for (let after = 0; ; await setImmediate()) {
      const lists = this.#sql.scopesOf.all(kind, after, LISTS_AT_ONCE)
      for (const list of lists) {
        const found = this.#oldestIn(list, waiting)
        if (found !== null) oldest = earlier(oldest, found)
      }
      if (lists.length < LISTS_AT_ONCE) return oldest
      after = lists.at(-1)?.scope ?? after
    }
  }
}

const earlier = (one: OldestWaiting | null, other: OldestWaiting): OldestWaiting =>
  one !== null && one.createdAtMs <= other.createdAtMs ? one : other
