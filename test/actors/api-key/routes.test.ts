import { afterAll, describe, expect, it, vi } from 'vitest'
import type { Caller } from '../../../src/http/callers/caller.ts'
import { createTenant } from '../../../src/actors/tenant/commands.ts'
import { apiOnMemory, freshOperator as fresh } from '../../compose/api-on-memory.ts'
import { consolePeople } from '../../compose/console-people.ts'
import { allowed } from '../account/accounts-world.ts'

const path = '/v1/operator/api-keys'

const api = await apiOnMemory()
const tenantId = allowed(await createTenant(api.service.useCases, 'Registry')).id
afterAll(() => api.close())

describe('API keys, to operators', () => {
  it('are shown once, with their rate, and only after a fresh code', async () => {
    const body = { tenantId, label: 'shop', ratePerMinute: 600 }
    const stale: Caller = { kind: 'operator', operatorId: 'acc_00operator' }
    expect((await api.send('POST', path, { as: stale, body })).json['error']).toBe('step_up_required')
    const made = await api.send('POST', path, { as: fresh, body })
    expect(made).toMatchObject({ status: 201, json: { tenantId, label: 'shop', ratePerMinute: 600 } })
    const key = String(made.json['key'])
    expect(key.startsWith(String(made.json['prefix']))).toBe(true)
    expect(key.endsWith(String(made.json['lastFour']))).toBe(true)
    const used = await api.send('GET', '/v1/connections', { as: key })
    expect(used.headers['RateLimit-Policy']).toBe('"default";q=600;w=60')
    const id = String(made.json['id'])
    const shown = await api.send('GET', `${path}/${id}`, { as: fresh })
    const { key: _, ...rest } = made.json
    expect(shown.json).toEqual(rest)
    expect((await api.send('GET', `${path}?tenantId=${tenantId}&q=SHOP`, { as: fresh })).json).toMatchObject({
      items: [rest],
      total: 1,
    })
    expect((await api.send('GET', `${path}?tenantId=ten_00aaaa`, { as: fresh })).json['total']).toBe(0)
  })

  it('are revoked at once, however often, which the organisation sees', async () => {
    const { headers } = await consolePeople(api).enrol(tenantId, 'ann@example.org')
    const { json } = await api.send('POST', path, { as: fresh, body: { tenantId, label: 'leaked' } })
    for (let times = 0; times < 2; times++) {
      await nextMillisecond()
      expect(await api.send('DELETE', `${path}/${String(json['id'])}`, { as: fresh })).toMatchObject({
        status: 200,
        json: { status: 'revoked', revokedAt: expect.stringMatching(/Z$/) as unknown },
      })
    }
    expect((await api.send('GET', '/v1/connections', { as: String(json['key']) })).status).toBe(401)
    const lines = await api.send('GET', `/v1/audit-log?targetId=${String(json['id'])}`, { headers })
    expect((lines.json['items'] as { action: string }[]).map(({ action }) => action)).toEqual([
      'revokeApiKey',
      'revokeApiKey',
      'createApiKey',
    ])
  })

  it('get another rate, which counts from the next request on, and the common one again', async () => {
    const { json } = await api.send('POST', path, { as: fresh, body: { tenantId, label: 'busy' } })
    const policy = async () =>
      (await api.send('GET', '/v1/connections', { as: String(json['key']) })).headers['RateLimit-Policy']
    const set = (ratePerMinute: number | null) =>
      api.send('PATCH', `${path}/${String(json['id'])}`, { as: fresh, body: { ratePerMinute } })
    const common = await policy()
    expect(await set(900)).toMatchObject({ status: 200, json: { id: json['id'], ratePerMinute: 900 } })
    expect(await policy()).toBe('"default";q=900;w=60')
    expect(await set(null)).toMatchObject({ json: { ratePerMinute: null } })
    expect(await policy()).toBe(common)
    await api.send('DELETE', `${path}/${String(json['id'])}`, { as: fresh })
    expect((await set(1)).json).toMatchObject({ status: 'revoked', ratePerMinute: null })
  })
})

/** Lines of the same millisecond stand in any order. */
const nextMillisecond = (): Promise<unknown> => {
  const sinceMs = Date.now()
  return vi.waitUntil(() => Date.now() > sinceMs, { interval: 1 })
}
