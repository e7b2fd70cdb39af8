import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DirectoryRow, ListQuery } from '../../src/ports/directory.ts'
import { fold } from '../../src/domain/case-folded.ts'
import { placeOf } from '../../src/directory/place.ts'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import { query, row } from './directory-rows.ts'

let directory: SqliteDirectory
beforeEach(() => {
  directory = new SqliteDirectory(':memory:')
})
afterEach(() => directory[Symbol.dispose]())

const HOUR_MS = 3_600_000
const STATES = ['offer-sent', 'request-received', 'credential-issued', 'done', 'abandoned']
const WORDS = ['Ämter', 'amt', '50%', 'a_b', 'x', 'ORDER', 'order-1', 'ß', 'SS', '%', '_', 'ΟΔΟΣ', '']

/** A small generator with a seed, so that what fails can be played again. */
const randomOf = (seed: number) => {
  let state = seed
  const next = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % below
  }
  return { next, one: <Value>(values: readonly Value[]): Value => values[next(values.length)] as Value }
}
type Random = ReturnType<typeof randomOf>

const anyRow = ({ next, one }: Random): DirectoryRow => {
  const externalId = next(4) === 0 ? null : `${one(WORDS)}${next(30)}`
  return row(`cre_${next(400)}`, {
    createdAtMs: 0,
    state: one(STATES),
    tenant: one(['t1', 't1', 't2']),
    externalId,
    searchText: `${externalId ?? ''}\n${one(WORDS)}`,
    filters: { connectionId: one(['c1', 'c2', null]), verified: one(['true', 'false', null]) },
  })
}

const anyQuery = ({ next, one }: Random): ListQuery => {
  const maybe = <Value>(make: () => Value): Value | null => (next(3) === 0 ? make() : null)
  const filters = [
    ...(next(4) === 0 ? [['connectionId', one(['c1', 'c2', 'c3'])]] : []),
    ...(next(4) === 0 ? [['verified', one(['true', 'false'])]] : []),
  ]
  return query({
    page: 1 + next(6),
    pageSize: one([2, 5, 25]),
    q: maybe(() => one(WORDS) || 'r'),
    externalId: maybe(() => one(WORDS) || 'r'),
    states: Array.from({ length: next(4) }, () => one([...STATES, 'no such'])),
    fromMs: maybe(() => next(96) * HOUR_MS),
    toMs: maybe(() => next(96) * HOUR_MS),
    filters: Object.fromEntries(filters) as Record<string, string>,
  })
}

const expected = (rows: readonly DirectoryRow[], wanted: ListQuery) => {
  const found = rows
    .filter(
      (each) =>
        each.tenant === wanted.tenant &&
        (wanted.states.length === 0 || wanted.states.includes(each.state)) &&
        (wanted.fromMs === null || each.createdAtMs >= wanted.fromMs) &&
        (wanted.toMs === null || each.createdAtMs < wanted.toMs) &&
        (wanted.q === null || fold(each.searchText).includes(fold(wanted.q))) &&
        (wanted.externalId === null || fold(each.externalId ?? '').includes(fold(wanted.externalId))) &&
        Object.entries(wanted.filters).every(([name, value]) => each.filters[name] === value),
    )
    // Of two at one place the one that came later is the newer.
    .toReversed()
    .toSorted((a, b) => placeOf(b.createdAtMs, b.id) - placeOf(a.createdAtMs, a.id))
  const offset = (wanted.page - 1) * wanted.pageSize
  return { ids: found.slice(offset, offset + wanted.pageSize).map(({ id }) => id), total: found.length }
}

describe('lists', () => {
  it('are what a plain walk over all records finds, for any query after any writes', async () => {
    const seed = Math.trunc(performance.now() * 1_000) % 1_000_000
    const random = randomOf(seed)
    const model = new Map<string, DirectoryRow>()
    for (let round = 0; round < 40; round++) {
      const rows = Array.from({ length: 40 }, () => {
        const made = anyRow(random)
        const former = model.get(`${made.tenant} ${made.id}`)
        const createdAtMs = former?.createdAtMs ?? random.next(96) * HOUR_MS + random.next(3)
        const kept = { ...made, createdAtMs, updatedAtMs: round }
        model.set(`${kept.tenant} ${kept.id}`, kept)
        return kept
      })
      directory.write(0, rows, { no: round, index: 0 })
      for (let asked = 0; asked < 25; asked++) {
        const wanted = anyQuery(random)
        const { rows: listed, total } = await directory.list(wanted)
        const found = { ids: listed.map(({ id }) => id), total }
        expect(found, `seed ${seed}: ${JSON.stringify(wanted)}`).toEqual(
          expected([...model.values()], wanted),
        )
      }
    }
  })

  it('count the records of a part of a day, of whole days and of both', async () => {
    const rows = Array.from({ length: 96 }, (_, hour) => row(`c${hour}`, { createdAtMs: hour * HOUR_MS }))
    directory.write(0, rows, { no: 1, index: 0 })
    const total = async (from: number, to: number) =>
      (await directory.list(query({ fromMs: from * HOUR_MS, toMs: to * HOUR_MS }))).total
    expect(await total(3, 5)).toBe(2)
    expect(await total(24, 48)).toBe(24)
    expect(await total(23, 73)).toBe(50)
    expect(await total(23, 25)).toBe(2)
    expect(await total(50, 10)).toBe(0)
  })

  it('walk a long list of several states instead of sorting it, and show the same', async () => {
    const states = ['offer-sent', 'done', 'declined']
    const rows = Array.from({ length: 22_000 }, (_, n) =>
      row(`c${n}`, { createdAtMs: n, state: states[n % 2] ?? '' }),
    )
    directory.write(0, [...rows, row('last', { createdAtMs: 1, state: 'declined' })], { no: 1, index: 0 })
    const page = await directory.list(query({ states, page: 2 }))
    expect([page.total, page.rows[0]?.id, page.rows[24]?.id]).toEqual([22_001, 'c21974', 'c21950'])
  })
})
