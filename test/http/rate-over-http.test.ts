import { afterAll, describe, expect, it } from 'vitest'
import { apiOnMemory, freshOperator } from '../compose/api-on-memory.ts'
import { furnished } from '../compose/service-on-memory.ts'

const RATE = 300

const api = await apiOnMemory(RATE)
const key = await api.keyOf((await furnished(api.service)).tenant)
afterAll(() => api.close())

describe('an API key', () => {
  it('has its 300 requests in any minute, refused ones not counted, and the next when Retry-After says', async () => {
    const { runtime } = api.service
    const ask = (path = '/v1/ledger') => api.send('GET', path, { as: key })
    const first = await Promise.all(Array.from({ length: RATE / 2 }, () => ask()))
    runtime.forward(20_000)
    // Whatever they are answered: what is not found counts as well.
    const rest = await Promise.all(Array.from({ length: RATE / 2 }, () => ask('/v1/connections/nobody')))
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(rest.map(({ status }) => status))).toEqual(new Set([404]))
    expect(rest.at(-1)?.headers['RateLimit']).toMatch(/;r=0;/)
    const refused = await Promise.all(Array.from({ length: 20 }, () => ask()))
    for (const { status, json } of refused) expect([status, json['error']]).toEqual([429, 'rate_limited'])
    const seconds = Number(refused[0]?.headers['Retry-After'])
    expect(seconds).toBeLessThanOrEqual(41)
    runtime.forward(seconds * 1_000)
    const again = await Promise.all(Array.from({ length: RATE / 2 + 1 }, () => ask()))
    expect(again.filter(({ status }) => status === 200)).toHaveLength(RATE / 2)
    expect(again.at(-1)?.status).toBe(429)
  })
  it('of a suspended organisation has the same rate: its refusals count', async () => {
    const tenant = (await furnished(api.service, 'cccccccccc')).tenant
    const suspended = await api.keyOf(tenant)
    const target = `/v1/operator/tenants/${tenant}/suspend`
    expect((await api.send('POST', target, { as: freshOperator })).status).toBe(200)
    const ask = () => api.send('GET', '/v1/ledger', { as: suspended })
    const first = await ask()
    expect([first.status, first.json['error']]).toEqual([403, 'forbidden'])
    expect(first.headers['RateLimit']).toMatch(new RegExp(`;r=${RATE - 1};`))
    expect(first.headers['RateLimit-Policy']).toContain(`q=${RATE};`)
    await Promise.all(Array.from({ length: RATE - 1 }, ask))
    expect(await ask()).toMatchObject({ status: 429, json: { error: 'rate_limited' } })
  })
})
