import { afterAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/actors/tenant/commands.ts'
import { apiOnMemory, freshOperator } from '../../compose/api-on-memory.ts'
import { consolePeople, PAGE } from '../../compose/console-people.ts'
import { allowed, password } from '../account/accounts-world.ts'

const path = '/v1/operator/tenants'

const api = await apiOnMemory()
afterAll(() => api.close())

const refused = {
  status: 403,
  json: { error: 'forbidden', reason: 'The organisation is suspended; ask the operator of the service.' },
}
const send = (method: string, target: string, body?: object, headers = {}) =>
  api.send(method, target, { as: freshOperator, headers, ...(body !== undefined && { body }) })

describe('organisations, to operators', () => {
  it('are created once per key, shown, and listed with filters', async () => {
    const headers = { 'idempotency-key': 'first' }
    const made = await send('POST', path, { name: 'Registry' }, headers)
    expect(made).toMatchObject({ status: 201, json: { name: 'Registry', status: 'active' } })
    const again = await send('POST', path, { name: 'Registry' }, headers)
    expect(again.headers['Idempotent-Replayed']).toBe('true')
    expect(again.text).toBe(made.text)
    expect((await send('POST', path, { name: 'Another' }, headers)).json['error']).toBe(
      'idempotency_key_reused',
    )
    const id = String(made.json['id'])
    expect((await send('GET', `${path}/${id}`)).json).toMatchObject({ id, name: 'Registry' })
    await send('POST', path, { name: 'Museum' })
    const names = async (query: string) =>
      ((await send('GET', `${path}?${query}`)).json['items'] as { name: string }[]).map(({ name }) => name)
    expect(await names('')).toEqual(expect.arrayContaining(['Museum', 'Registry']))
    expect(await names('q=REGIS')).toEqual(['Registry'])
    await send('POST', `${path}/${id}/suspend`)
    expect(await names('status=suspended')).toEqual(['Registry'])
    await send('POST', `${path}/${id}/resume`)
    expect(await names('status=suspended')).toEqual([])
  })

  it('that are suspended have no keys and no sessions, and hear of it', async () => {
    const people = consolePeople(api)
    const tenant = allowed(await createTenant(api.service.useCases, 'Shop')).id
    const key = await api.keyOf(tenant)
    const wallets = { body: {}, as: key, headers: { 'idempotency-key': crypto.randomUUID() } }
    const walletToken = String((await api.send('POST', '/v1/wallets', wallets)).json['walletToken'])
    const { headers } = await people.enrol(tenant, 'ann@example.org')
    const signIn = () =>
      api.send('POST', '/v1/sessions', {
        headers: PAGE,
        body: { organisation: tenant, emailAddress: 'ann@example.org', password },
      })
    await send('POST', `${path}/${tenant}/suspend`)
    expect(await api.send('GET', '/v1/connections', { as: key })).toMatchObject(refused)
    expect(await api.send('PUT', '/v1/webhook', { as: key, body: {} })).toMatchObject(refused)
    expect(await api.send('GET', '/v1/session', { headers })).toMatchObject(refused)
    expect(await signIn()).toMatchObject(refused)
    expect((await api.send('GET', '/v1/ledger', { as: walletToken })).status).toBe(200)
    await send('POST', `${path}/${tenant}/resume`)
    expect((await api.send('GET', '/v1/connections', { as: key })).status).toBe(200)
    expect((await api.send('GET', '/v1/session', { headers })).status).toBe(200)
    expect((await signIn()).status).toBe(200)
    const { json } = await api.send('GET', '/v1/audit-log?q=Tenant', { headers })
    expect(json['items']).toMatchObject([
      { action: 'resumeTenant', initiator: 'operator', targetId: tenant, outcome: 'done' },
      { action: 'suspendTenant', initiator: 'operator', targetId: tenant, outcome: 'done' },
    ])
  })
})
