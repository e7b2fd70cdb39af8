import { expect, it } from 'vitest'
import { eachOf } from '../../client/src/pages.ts'

type Item = { readonly id: string; readonly createdAt: string }
type Query = { readonly page?: number; readonly pageSize?: number; readonly to?: string }

/** A list that grows by one record before every page after the first. */
const growing = (count: number) => {
  const made = (number: number): Item => ({
    id: `r${number}`,
    createdAt: new Date(number * 1_000).toISOString(),
  })
  let records = Array.from({ length: count }, (_, number) => made(count - number))
  return (query: Query) => {
    const { page = 1, pageSize = 25, to } = query
    if (page > 1) records = [made(records.length + 1), ...records]
    const fitting = to === undefined ? records : records.filter(({ createdAt }) => createdAt < to)
    const items = fitting.slice((page - 1) * pageSize, page * pageSize)
    return Promise.resolve({ items, total: fitting.length, page, pageSize })
  }
}

const collected = async (until: string | null, count: number) => {
  const seen: string[] = []
  for await (const { id } of eachOf<Item, Query>(growing(count), { pageSize: 10 }, until)) seen.push(id)
  return seen
}

it.each(['to', null])('a list that grows is gone through once (%s)', async (until) => {
  for (const count of [0, 1, 9, 10, 11, 35]) {
    const seen = await collected(until, count)
    expect(seen.filter((id) => Number(id.slice(1)) <= count)).toEqual(
      Array.from({ length: count }, (_, number) => `r${count - number}`),
    )
    expect(new Set(seen).size).toBe(seen.length)
  }
})

it('the end that the caller asks for stays', async () => {
  const asked: Query[] = []
  const list = (query: Query) => {
    asked.push(query)
    return growing(25)(query)
  }
  const query = { pageSize: 10, to: '1970-01-01T00:00:15.000Z' }
  for await (const _ of eachOf<Item, Query>(list, query, 'to')) continue
  expect(new Set(asked.map(({ to }) => to))).toEqual(new Set([query.to]))
})
