import { afterAll, describe, expect, it } from 'vitest'
import { createTenant, suspendTenant } from '../../../src/actors/tenant/commands.ts'
import { apiOnMemory } from '../../compose/api-on-memory.ts'
import { consolePeople } from '../../compose/console-people.ts'
import { allowed } from './accounts-world.ts'

const at = await apiOnMemory(undefined, undefined, undefined, { sessionRate: 3 })
const people = consolePeople(at)
const tenant = allowed(await createTenant(at.service.useCases, 'Registry')).id
afterAll(() => at.close())

const get = (headers: Readonly<Record<string, string>>, path = '/v1/session') =>
  at.send('GET', path, { headers })

describe('the rate of a session', () => {
  it('is told with each answer, and ends in 429 that says when to come again', async () => {
    const ann = await people.enrol(tenant, 'ann@example.org')
    const other = await people.enrol(tenant, 'bob@example.org')
    expect(await get(ann.headers)).toMatchObject({
      status: 200,
      headers: { RateLimit: '"default";r=2;t=60', 'RateLimit-Policy': '"default";q=3;w=60' },
    })
    await get(ann.headers)
    await get(ann.headers)
    const refused = await get(ann.headers)
    expect(refused).toMatchObject({ status: 429, json: { error: 'rate_limited' } })
    expect((await get(other.headers)).status).toBe(200)
    at.service.runtime.forward(Number(refused.headers['Retry-After']) * 1_000)
    expect((await get(ann.headers)).status).toBe(200)
  })

  it('counts what is forbidden: routes of others, and everything while the organisation is suspended', async () => {
    const eve = await people.enrol(tenant, 'eve@example.org')
    for (const status of [403, 403, 403, 429])
      expect((await get(eve.headers, '/v1/operator/tenants')).status).toBe(status)
    const gone = allowed(await createTenant(at.service.useCases, 'Suspended')).id
    const fay = await people.enrol(gone, 'fay@example.org')
    allowed(await suspendTenant(at.service.useCases, gone))
    for (const status of [403, 403, 403, 429]) expect((await get(fay.headers)).status).toBe(status)
  })

  it('counts nothing that comes from a page of others', async () => {
    const gus = await people.enrol(tenant, 'gus@example.org')
    const foreign = { ...gus.headers, 'sec-fetch-site': 'cross-site' }
    for (let count = 0; count < 5; count++) expect((await get(foreign)).status).toBe(403)
    expect(await get(gus.headers)).toMatchObject({ headers: { RateLimit: '"default";r=2;t=60' } })
  })
})
