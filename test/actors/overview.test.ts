import { afterAll, describe, expect, it } from 'vitest'
import { kinds } from '../../src/actors/index.ts'
import { overviewRoutes } from '../../src/actors/overview.ts'
import { retentionPreviewRoute } from '../../src/actors/retention-preview.ts'
import { createTenant } from '../../src/actors/tenant/commands.ts'
import { rowStates } from '../../src/actors/webhook-delivery/listed.ts'
import type { Caller } from '../../src/http/callers/caller.ts'
import type { DueQuery, ListOverview, OverviewQuery } from '../../src/ports/list-overview.ts'
import { administrator, apiOnMemory, freshOperator } from '../compose/api-on-memory.ts'
import { called } from '../compose/called-route.ts'
import { furnished } from '../compose/service-on-memory.ts'
import { allowed } from './account/accounts-world.ts'

const HOUR_MS = 3_600_000
/** A Tuesday at 12:34 UTC. */
const NOW_MS = Date.UTC(2026, 9, 27, 12, 34)
const member = { kind: 'member', tenantId: 'ten_1', memberId: 'm', role: 'viewer' } as const
const operator = { kind: 'operator', operatorId: 'o' } as const

const found: ListOverview = {
  kind: 'credential',
  now: { done: 2, 'offer-sent': 1 },
  counts: { done: [2], abandoned: [1], 'why:no_answer': [1] },
  oldest: { id: 'cre_1', tenant: 'ten_9', state: 'offer-sent', createdAtMs: NOW_MS },
}

const over = (answer: readonly ListOverview[] = []) => {
  const asked: OverviewQuery[] = []
  const overviews = {
    overview: async (query: OverviewQuery) => {
      asked.push(query)
      return answer
    },
    due: async ({ beforeMs }: DueQuery) => [
      { kind: 'credential', records: 7, firstFinishedMs: beforeMs - 1 },
      { kind: 'webhook-delivery', records: 2, firstFinishedMs: 0 },
    ],
  }
  const runtime = { now: () => NOW_MS } as never
  const routes = [
    ...overviewRoutes({ overviews, runtime }, kinds),
    retentionPreviewRoute({ overviews, runtime }, kinds),
  ]
  return {
    asked,
    get: (query: object = {}) => called(routes, 'getOverview', { caller: member, query }),
    all: (query: object = {}) => called(routes, 'getOperatorOverview', { caller: operator, query }),
    preview: (retentionDays: number) =>
      called(routes, 'previewDataRetention', { caller: member, query: { retentionDays } }),
  }
}

describe('an overview', () => {
  it('is of the last 24 hours, this one among them, or of the last 30 days', async () => {
    const { asked, get, all } = over()
    expect(await get()).toMatchObject({
      from: '2026-10-26T13:00:00.000Z',
      to: '2026-10-27T13:00:00.000Z',
      step: 'hour',
      lists: [],
    })
    expect(await all({ step: 'day' })).toMatchObject({
      from: '2026-09-28T00:00:00.000Z',
      to: '2026-10-28T00:00:00.000Z',
    })
    expect(asked.map(({ tenant, hoursEach }) => [tenant, hoursEach])).toEqual([
      ['ten_1', 1],
      [null, 24],
    ])
    expect(asked[0]?.lists.map(({ kind }) => kind)).toEqual([
      'connection',
      'credential',
      'proof',
      'webhook-delivery',
    ])
  })

  it('is widened to whole hours and days, and ends now', async () => {
    const { get } = over()
    const times = { from: '2026-10-27T10:59:59+02:00', to: '2026-10-27T10:00:01Z' }
    expect(await get(times)).toMatchObject({
      from: '2026-10-27T08:00:00.000Z',
      to: '2026-10-27T11:00:00.000Z',
    })
    expect(await get({ ...times, step: 'day' })).toMatchObject({
      from: '2026-10-27T00:00:00.000Z',
      to: '2026-10-28T00:00:00.000Z',
    })
    expect(await get({ to: '2030-01-01T00:00:00Z' })).toMatchObject({ to: '2026-10-27T13:00:00.000Z' })
  })

  it('goes 90 days back and no further, by hours and by days', async () => {
    const { get } = over()
    const ago = (hours: number) => new Date(NOW_MS - hours * HOUR_MS).toISOString()
    for (const step of ['hour', 'day']) {
      expect(await get({ from: ago(90 * 24), step })).toMatchObject({ step })
      expect(await get({ from: ago(91 * 24), step })).toMatchObject({ problem: 'invalid_request' })
    }
    for (const wrong of [
      { from: '2026-10-27T12:00:00Z', to: '2026-10-27T12:00:00Z' },
      { from: '2026-10-28T12:00:00Z' },
      { from: 'yesterday' },
      { to: '2026-02-30T00:00:00Z' },
    ])
      expect(await get(wrong)).toMatchObject({ problem: 'invalid_request' })
  })

  it('tells states from reasons, and names the organisation to operators alone', async () => {
    const { get, all } = over([found])
    const oldestWaiting = { id: 'cre_1', state: 'offer-sent', createdAt: '2026-10-27T12:34:00.000Z' }
    expect(await get()).toMatchObject({
      lists: [
        {
          recordType: 'credential',
          now: [
            { state: 'done', records: 2 },
            { state: 'offer-sent', records: 1 },
          ],
          entered: [
            { state: 'abandoned', counts: [1] },
            { state: 'done', counts: [2] },
          ],
          failures: [{ code: 'no_answer', counts: [1] }],
          oldestWaiting,
        },
      ],
    })
    expect(JSON.stringify(await get())).not.toContain('ten_9')
    expect(await all()).toMatchObject({
      lists: [{ oldestWaiting: { ...oldestWaiting, organisation: 'ten_9' } }],
    })
  })
})

describe('the overview of deliveries', () => {
  it('shows their rows by the status that callers know, held ones among those that wait', async () => {
    const now: Record<string, number> = {}
    for (const status of ['pending', 'held', 'delivered', 'dead'] as const)
      for (const state of rowStates([status], ['connection.state_changed', 'record.erased'])) now[state] = 2
    const [held = ''] = rowStates(['held'], ['record.erased'])
    const oldest = { id: 'whd_1', tenant: 'ten_1', state: held, createdAtMs: NOW_MS }
    const { get } = over([{ kind: 'webhook-delivery', now, counts: {}, oldest }])
    expect(await get()).toMatchObject({
      lists: [
        {
          recordType: 'webhook_delivery',
          now: [
            { state: 'dead', records: 4 },
            { state: 'delivered', records: 4 },
            { state: 'pending', records: 8 },
          ],
          oldestWaiting: { id: 'whd_1', state: 'pending' },
        },
      ],
    })
  })
})

describe('what a retention period would clear', () => {
  it('is what finished before it, by type of record', async () => {
    const { preview } = over()
    expect(await preview(30)).toEqual({
      retentionDays: 30,
      finishedBefore: '2026-09-27T12:34:00.000Z',
      records: [
        { recordType: 'credential', records: 7, firstFinishedAt: '2026-09-27T12:33:59.999Z' },
        { recordType: 'webhook_delivery', records: 2, firstFinishedAt: '1970-01-01T00:00:00.000Z' },
      ],
    })
    expect(await preview(0)).toEqual({ retentionDays: 0, finishedBefore: null, records: [] })
  })
})

describe('the overview of real records', () => {
  const opened = apiOnMemory()
  afterAll(async () => (await opened).close())

  it('counts those of the organisation, and for operators those of all', async () => {
    const api = await opened
    const { tenant } = await furnished(api.service, 'aaaaaaaaaa')
    const other = allowed(await createTenant(api.service.useCases, 'Another')).id
    const of = async (path: string, as: Parameters<typeof api.send>[2]) => {
      const { json } = await api.send('GET', path, as)
      const lists = json['lists'] as readonly { recordType: string; now: unknown; entered: unknown }[]
      return lists.find(({ recordType }) => recordType === 'connection')
    }
    const mine = await of('/v1/overview', { as: administrator(tenant) })
    expect(mine).toMatchObject({ now: [{ state: 'completed', records: 1 }] })
    expect(await of('/v1/overview', { as: administrator(other) })).toMatchObject({ now: [], entered: [] })
    expect(await of('/v1/operator/overview', { as: freshOperator })).toMatchObject({
      now: [{ state: 'completed', records: 1 }],
    })
  })

  it('are for the people of the organisation, viewers among them, and those of all for operators', async () => {
    const api = await opened
    const tenant = allowed(await createTenant(api.service.useCases, 'A third')).id
    const key = await api.keyOf(tenant)
    const viewer: Caller = { kind: 'member', tenantId: tenant, memberId: 'acc_1', role: 'viewer' }
    const wallet: Caller = { kind: 'wallet_token', tenantId: tenant, walletId: 'wal_1' }
    const statusOf = async (path: string, as: Caller | string) => (await api.send('GET', path, { as })).status
    const own = ['/v1/overview', '/v1/data-retention/preview?retentionDays=30']
    for (const path of own) {
      for (const as of [viewer, administrator(tenant)]) expect(await statusOf(path, as)).toBe(200)
      for (const as of [key, wallet, freshOperator]) expect(await statusOf(path, as)).toBe(403)
    }
    for (const path of ['/v1/operator/overview', '/v1/operator/health']) {
      expect(await statusOf(path, freshOperator)).toBe(200)
      for (const as of [key, wallet, viewer, administrator(tenant)])
        expect(await statusOf(path, as)).toBe(403)
    }
  })
})
