import { setImmediate } from 'node:timers/promises'
import type { Database } from 'better-sqlite3'
import type { ListOverview, OldestWaiting, OverviewQuery } from '../ports/list-overview.ts'
import { ALL_TENANTS, type RowCounts, NOW } from './row-counts.ts'

/** In one go: a few milliseconds, between which other lists are answered. */
const LOOKS_AT_ONCE = 1_000

type Counted = { readonly hour: number; readonly step: number; readonly records: number }
type Waiting = Omit<OldestWaiting, 'tenant' | 'state'>

const prepare = (database: Database) => ({
  findScope: database
    .prepare<[string, string], number>('SELECT scope FROM scopes WHERE tenant = ? AND kind = ?')
    .pluck(),
  scopesOf: database.prepare<[string, number, number], { scope: number; tenant: string }>(
    'SELECT scope, tenant FROM scopes WHERE kind = ? AND scope > ? ORDER BY scope LIMIT ?',
  ),
  now: database.prepare<[number], { readonly state: string; readonly records: number }>(
    'SELECT state, sum(records) AS records FROM counts WHERE scope = ? GROUP BY state',
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
  readonly #hours: Pick<RowCounts, 'nameOf' | 'horizon'>

  constructor(database: Database, hours: Pick<RowCounts, 'nameOf' | 'horizon'>) {
    this.#sql = prepare(database)
    this.#hours = hours
  }

  async read(query: OverviewQuery): Promise<readonly ListOverview[]> {
    const lists: ListOverview[] = []
    for (const { kind, waiting } of query.lists) {
      const { tenant } = query
      const scope = this.#sql.findScope.get(tenant ?? ALL_TENANTS, kind)
      if (scope === undefined) {
        lists.push({ kind, now: {}, counts: {}, oldest: null })
        continue
      }
      const now = tenant === null ? this.#nowInAll(scope) : this.#nowIn(scope)
      const counts = this.#counts(scope, query)
      const states = Object.keys(now).filter((state) => waiting.some((each) => state.startsWith(each)))
      const oldest =
        tenant === null ? await this.#oldestOfAll(kind, states) : this.#oldestIn({ scope, tenant }, states)
      lists.push({ kind, now, counts, oldest })
    }
    return lists
  }

  #nowIn(scope: number): ListOverview['now'] {
    const found = this.#sql.now.all(scope).filter(({ records }) => records > 0)
    return Object.fromEntries(found.map(({ state, records }) => [state, records]))
  }

  #nowInAll(scope: number): ListOverview['now'] {
    const found = this.#sql.hours.all(scope, NOW, NOW + 1).filter(({ records }) => records > 0)
    return Object.fromEntries(found.map(({ step, records }) => [this.#hours.nameOf(step), records]))
  }

  #counts(scope: number, { fromHour, toHour, hoursEach }: OverviewQuery): ListOverview['counts'] {
    const spans = Math.ceil((toHour - fromHour) / hoursEach)
    const counts: Record<string, number[]> = {}
    const firstHour = Math.max(fromHour, this.#hours.horizon)
    for (const { hour, step, records } of this.#sql.hours.all(scope, firstHour, toHour)) {
      if (records <= 0) continue
      const of = (counts[this.#hours.nameOf(step)] ??= Array.from({ length: spans }, () => 0))
      const span = Math.floor((hour - fromHour) / hoursEach)
      of[span] = (of[span] ?? 0) + records
    }
    return counts
  }

  #oldestIn(
    { scope, tenant }: { readonly scope: number; readonly tenant: string },
    states: readonly string[],
  ): OldestWaiting | null {
    let oldest: OldestWaiting | null = null
    for (const state of states) {
      const found = this.#sql.oldest.get(scope, state)
      if (found !== undefined) oldest = earlier(oldest, { ...found, tenant, state })
    }
    return oldest
  }

  async #oldestOfAll(kind: string, states: readonly string[]): Promise<OldestWaiting | null> {
    if (states.length === 0) return null
    const listsAtOnce = Math.ceil(LOOKS_AT_ONCE / states.length)
    let oldest: OldestWaiting | null = null
    for (let after = 0; ; await setImmediate()) {
      const lists = this.#sql.scopesOf.all(kind, after, listsAtOnce)
      for (const list of lists) {
        const found = this.#oldestIn(list, states)
        if (found !== null) oldest = earlier(oldest, found)
      }
      if (lists.length < listsAtOnce) return oldest
      after = lists.at(-1)?.scope ?? after
    }
  }
}

const earlier = (one: OldestWaiting | null, other: OldestWaiting): OldestWaiting =>
  one !== null && one.createdAtMs <= other.createdAtMs ? one : other
