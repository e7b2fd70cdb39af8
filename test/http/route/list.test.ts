import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stateQuery, listPage, type ListRequest, pageOfAll, pageReply } from '../../../src/http/route/list.ts'
import { listing } from '../../compose/service-on-memory.ts'

const list = async (request: ListRequest) => {
  const seen: { fromMs?: number | null }[] = []
  const of = { tenant: 't', kind: 'proof' }
  const page = await listPage(listing([], seen), of, { ...request, b: 'x' }, () => Promise.resolve(null))
  return { page, query: seen[0] }
}

describe('a list', () => {
  it('has the defaults of the contract', async () => {
    const { page, query } = await list({})
    expect(page).toEqual({ items: [], total: 0, page: 1, pageSize: 25 })
    expect(query).toMatchObject({ q: null, states: [], fromMs: null, filters: { b: 'x' } })
  })

  it.each(['2026-01-31T12:00:00Z', '2026-01-31T13:00:00+01:00', '2026-01-31T13:00:00 01:00'])(
    'understands %s',
    async (from) => {
      expect((await list({ from })).query?.fromMs).toBe(Date.UTC(2026, 0, 31, 12))
    },
  )

  it.each([
    { from: '2026-01-31' },
    { to: 'x' },
    { to: '2026-13-31T12:00:00Z' },
    { from: '2026-02-30T12:00:00Z' },
    { to: '2026-02-29T00:00:00+01:00' },
  ])('refuses %j', async (request) => {
    const [field = ''] = Object.keys(request)
    expect((await list(request)).page).toMatchObject({
      problem: 'invalid_request',
      reason: expect.stringMatching(`^${field} `) as string,
    })
  })

  it('understands every time that its description allows, and no other day than there is', async () => {
    const { pattern = '', format } = stateQuery.from as { pattern?: string; format?: string }
    expect(format).toBe('date-time')
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(new RegExp(pattern)), async (from) => {
        const { query } = await list({ from })
        expect(query?.fromMs, from).toEqual(expect.any(Number))
        expect(query?.fromMs, from).not.toBeNaN()
      }),
    )
    const isDay = (day: string): boolean => new RegExp(pattern).test(`${day}T00:00:00Z`)
    for (const year of [1600, 1900, 1999, 2000, 2023, 2024, 2100, 2400])
      for (let month = 1; month <= 12; month++) {
        const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
        const on = (day: number): string => `${year}-${String(month).padStart(2, '0')}-${day}`
        expect([on(last), isDay(on(last)), isDay(on(last + 1))]).toEqual([on(last), true, false])
      }
  })

  it('of what is at hand has the same pages, searched in the same way', () => {
    const all = Array.from({ length: 60 }, (_, index) => ({ name: `Ä${index}`, address: null }))
    const textsOf = (each: (typeof all)[number]) => [each.address, each.name]
    expect(pageOfAll(all, {}, textsOf)).toEqual({ items: all.slice(0, 25), total: 60, page: 1, pageSize: 25 })
    expect(pageOfAll(all, { page: 2, pageSize: 50 }, textsOf).items).toEqual(all.slice(50))
    expect(pageOfAll(all, { q: 'ä59' }, textsOf)).toMatchObject({ items: [all[59]], total: 1 })
    expect(pageOfAll(['Hauptstraße 1'], { q: 'STRASSE' }, (text) => [null, text]).total).toBe(1)
    expect(pageOfAll(all, { page: 9 }, textsOf)).toMatchObject({ items: [], total: 60, page: 9 })
  })

  it.each([
    [1, 25, undefined],
    [1, 26, '</v1/x?q=a%25&page=2>; rel="next"'],
    [2, 75, '</v1/x?q=a%25&page=3>; rel="next", </v1/x?q=a%25&page=1>; rel="prev"'],
    [3, 75, '</v1/x?q=a%25&page=2>; rel="prev"'],
    [9, 75, '</v1/x?q=a%25&page=3>; rel="prev"'],
    [100_000, 1e9, '</v1/x?q=a%25&page=99999>; rel="prev"'],
  ])('links page %i of %i records to its neighbours', (page, total, link) => {
    const head = { path: '/v1/x', query: 'q=a%25' }
    const answer = pageReply(head, { items: [], total, page, pageSize: 25 })
    expect('headers' in answer && answer.headers['Link']).toBe(link)
  })
})
