import type { Database, Statement } from 'better-sqlite3'
import type { ListQuery } from '../ports/directory.ts'
import { fold } from '../domain/case-folded.ts'
import { dayOf, firstPlaceOf, startOfDay } from './place.ts'
import { facetOf } from './record-writer.ts'
import { textOf } from './slotted-texts.ts'

/** With more records than this in the requested states, the whole list is walked instead of sorting them. */
const SORTED_MAX = 20_000

type Sql = { readonly text: string; readonly values: readonly (string | number)[] }
type Found = { readonly seqs: readonly number[]; readonly total: number }

/** Finds the records of a page by indexes alone. Texts are compared one by one, which is only for few records. */
export class ListReader {
  readonly #database: Database
  readonly #statements = new Map<string, Statement<unknown[], number>>()

  constructor(database: Database) {
    this.#database = database
  }

  find(scope: number, query: ListQuery): Found {
    const conditions = conditionsOf(scope, query)
    const isNarrow = Object.keys(query.filters).length > 0 || query.q !== null || query.externalId !== null
    const total = isNarrow
      ? this.#number(
          `SELECT count(*) FROM ${sourceOf(query, '')} WHERE ${conditions.text}`,
          conditions.values,
        )
      : this.#total(scope, query)
    const offset = (query.page - 1) * query.pageSize
    if (offset >= total) return { seqs: [], total }
    const limit = Math.min(query.pageSize, total - offset)
    // The walk begins at the nearer end of the list.
    const fromOldest = offset > total / 2
    const order = fromOldest ? 'ASC' : 'DESC'
    const seqs = this.#statement(
      `SELECT f.seq FROM ${sourceOf(query, indexFor(query, total))} WHERE ${conditions.text}
       ORDER BY f.place ${order}, f.seq ${order} LIMIT ? OFFSET ?`,
    ).all(...conditions.values, limit, fromOldest ? total - offset - limit : offset)
    return { seqs: fromOldest ? seqs.toReversed() : seqs, total }
  }

  /** Adds up whole days from the counts, and counts the rest of the first and the last day in the index. */
  #total(scope: number, { states, fromMs, toMs }: ListQuery): number {
    const firstDay = fromMs === null ? null : dayOf(fromMs - 1) + 1
    const endDay = toMs === null ? null : dayOf(toMs)
    if (firstDay !== null && endDay !== null && firstDay >= endDay)
      return this.#counted(scope, states, fromMs, toMs)
    const whole = joined([
      { text: 'scope = ?', values: [scope] },
      ...inStates('state', states),
      ...(firstDay === null ? [] : [{ text: 'day >= ?', values: [firstDay] }]),
      ...(endDay === null ? [] : [{ text: 'day < ?', values: [endDay] }]),
    ])
    const days = this.#number(
      `SELECT coalesce(sum(records), 0) FROM counts WHERE ${whole.text}`,
      whole.values,
    )
    const before = firstDay === null ? 0 : this.#counted(scope, states, fromMs, startOfDay(firstDay))
    const after = endDay === null ? 0 : this.#counted(scope, states, startOfDay(endDay), toMs)
    return before + days + after
  }

  #counted(scope: number, states: readonly string[], fromMs: number | null, toMs: number | null): number {
    const { text, values } = joined([
      { text: 'f.scope = ?', values: [scope] },
      ...inStates('f.state', states),
      ...between(fromMs, toMs),
    ])
    const index = states.length === 1 ? 'by_state' : 'newest'
    return this.#number(`SELECT count(*) FROM records f INDEXED BY ${index} WHERE ${text}`, values)
  }

  #number(sql: string, values: readonly unknown[]): number {
    return this.#statement(sql).get(...values) ?? 0
  }

  #statement(sql: string): Statement<unknown[], number> {
    let known = this.#statements.get(sql)
    if (known === undefined) {
      known = this.#database.prepare<unknown[], number>(sql).pluck()
      this.#statements.set(sql, known)
    }
    return known
  }
}

const indexFor = ({ states }: ListQuery, total: number): string => {
  const byState = states.length === 1 || (states.length > 1 && total <= SORTED_MAX)
  return byState ? 'INDEXED BY by_state' : 'INDEXED BY newest'
}

const sourceOf = ({ filters, q, externalId }: ListQuery, index: string): string => {
  if (Object.keys(filters).length === 0) return `records f ${index}`
  return q === null && externalId === null ? 'facets f' : 'facets f CROSS JOIN records r ON r.seq = f.seq'
}

const conditionsOf = (scope: number, query: ListQuery): Sql => {
  const [first, ...others] = Object.entries(query.filters).map(([name, value]) => facetOf(name, value))
  // instr() takes % and _ literally, which LIKE does not.
  const record = first === undefined ? 'f' : 'r'
  const contains = (searched: string, text: string | null): Sql[] =>
    text === null ? [] : [{ text: `instr(${searched}, ?) > 0`, values: [fold(text)] }]
  return joined([
    { text: 'f.scope = ?', values: [scope] },
    ...(first === undefined ? [] : [{ text: 'f.facet = ?', values: [first] }]),
    ...inStates('f.state', query.states),
    ...between(query.fromMs, query.toMs),
    ...others.map((facet) => ({
      text: `EXISTS (SELECT 1 FROM facets g
        WHERE g.scope = f.scope AND g.facet = ? AND g.place = f.place AND g.seq = f.seq)`,
      values: [facet],
    })),
    ...contains(textOf(record), query.q),
    ...contains(`${record}.external_id`, query.externalId),
  ])
}

const inStates = (column: string, states: readonly string[]): Sql[] =>
  states.length === 0 ? [] : [{ text: `${column} IN (${states.map(() => '?').join(', ')})`, values: states }]

const between = (fromMs: number | null, toMs: number | null): Sql[] => [
  ...(fromMs === null ? [] : [{ text: 'f.place >= ?', values: [firstPlaceOf(fromMs)] }]),
  ...(toMs === null ? [] : [{ text: 'f.place < ?', values: [firstPlaceOf(toMs)] }]),
]

const joined = (parts: readonly Sql[]): Sql => ({
  text: parts.map(({ text }) => text).join(' AND '),
  values: parts.flatMap(({ values }) => values),
})
