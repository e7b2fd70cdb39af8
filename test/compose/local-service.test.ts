import { afterAll, describe, expect, it } from 'vitest'
import { freshOperator } from './api-on-memory.ts'
import { localService } from './local-service.ts'

type Json = Readonly<Record<string, unknown>>

const service = await localService()
afterAll(() => service.close())

const local = async (method: string, path: string, organisation?: string, body?: object) => {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${service.token}`,
      ...(organisation !== undefined && { 'X-Vouchsafe-Organisation': organisation }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: (await response.json()) as Json }
}
const auditLog = async (organisation?: string): Promise<readonly Json[]> => {
  const of = organisation === undefined ? '' : `&organisation=${organisation}`
  const target = `/v1/operator/audit-log?initiatorId=local${of}`
  const { json } = await service.api.send('GET', target, { as: freshOperator })
  return json['items'] as readonly Json[]
}

describe('the local credential', () => {
  it('calls on the private port the routes of operators, secrets without a second factor', async () => {
    const { tenant } = service.at
    expect(await local('GET', `/v1/operator/tenants/${tenant}`)).toMatchObject({
      status: 200,
      json: { id: tenant },
    })
    const made = await local('POST', '/v1/operator/api-keys', undefined, { tenantId: tenant, label: 'shop' })
    expect(made).toMatchObject({ status: 201, json: { key: expect.stringMatching(/^svc_sk_/) as unknown } })
  })

  it('calls the routes of the members of the organisation that the header names', async () => {
    const { tenant } = service.at
    const body = { url: 'https://receiver.example/hooks' }
    expect(await local('PUT', '/v1/webhook', tenant, body)).toMatchObject({
      status: 201,
      json: { secret: expect.stringMatching(/^svc_whsec_/) as unknown },
    })
    expect(await local('GET', '/v1/webhook')).toMatchObject({ status: 403 })
    expect(await local('GET', '/v1/webhook', 'ten_00nobodyyyy')).toMatchObject({
      status: 403,
      json: { reason: 'There is no organisation with this id.' },
    })
  })

  it('is answered as the public port answers: the same checks, problems and paths', async () => {
    expect(await local('POST', '/v1/operator/tenants', undefined, { name: '' })).toMatchObject({
      status: 400,
      json: { error: 'invalid_request', reason: 'name must not be empty.' },
    })
    expect(await local('GET', '/v1/nothing')).toMatchObject({ status: 404, json: { error: 'not_found' } })
    expect(await local('GET', '/v1/events/stream', service.at.tenant)).toMatchObject({ status: 403 })
  })

  it('has no account: what is about one is forbidden', async () => {
    for (const [method, path] of [
      ['GET', '/v1/session'],
      ['GET', '/v1/sessions'],
      ['GET', '/v1/account/passkeys'],
      ['DELETE', '/v1/sessions'],
      ['GET', '/v1/operator/acting'],
      ['DELETE', '/v1/operator/acting'],
    ] as const)
      expect(await local(method, path), path).toMatchObject({ status: 403, json: { error: 'forbidden' } })
    const acting = { organisation: service.at.tenant, reason: 'to look' }
    expect(await local('POST', '/v1/operator/acting', undefined, acting)).toMatchObject({ status: 403 })
  })

  it('leaves a line for each change in the audit log of the organisation it concerns', async () => {
    const { tenant } = service.at
    await local('POST', `/v1/operator/tenants/${tenant}/suspend`)
    await local('DELETE', '/v1/webhook', tenant)
    await local('POST', `/v1/operator/tenants/${tenant}/resume`)
    const facts = { organisation: tenant, initiator: 'command_line', initiatorId: 'local', outcome: 'done' }
    const lines = await auditLog(tenant)
    // Two of the same millisecond may stand either way round.
    const newest = lines
      .slice(0, 3)
      .toSorted((one, other) => (String(one['action']) < String(other['action']) ? -1 : 1))
    expect(newest).toEqual(
      ['removeWebhook', 'resumeTenant', 'suspendTenant'].map(
        (action) => expect.objectContaining({ ...facts, action }) as unknown,
      ),
    )
    await local('POST', '/v1/operator/tenants', undefined, { name: 'Museum' })
    const [made] = await auditLog()
    expect(made).toMatchObject({ ...facts, organisation: null, action: 'createTenant' })
  })

  it("leaves a line for reading an organisation's records too, and none for a look at what operators see", async () => {
    const { tenant } = service.at
    await local('GET', '/v1/connections', tenant)
    await local('GET', `/v1/operator/tenants/${tenant}`)
    const [read] = await auditLog(tenant)
    expect(read).toMatchObject({ action: 'listConnections', initiator: 'command_line', outcome: 'done' })
    expect((await auditLog()).map(({ action }) => action)).not.toContain('getTenant')
  })
})

describe('the public port', () => {
  it('refuses the token as it refuses one that does not exist', async () => {
    const { api, token, at } = service
    for (const [method, path] of [
      ['GET', '/v1/operator/tenants'],
      ['GET', '/v1/webhook'],
      ['POST', '/v1/operator/api-keys'],
    ] as const) {
      const headers = { 'x-vouchsafe-organisation': at.tenant }
      const refused = await api.send(method, path, { as: token, headers, body: {} })
      expect(refused).toEqual(await api.send(method, path, { as: token.toLowerCase(), body: {} }))
      expect(refused.status).toBe(401)
    }
  })

  it('has none of the routes that the private port alone has', async () => {
    const { api, at } = service
    for (const { method, path } of api.localRoutes)
      for (const as of [service.token, await api.keyOf(at.tenant), freshOperator])
        expect(await api.send(method, path, { as, body: {} })).toMatchObject({
          status: 404,
          json: { reason: 'There is nothing at this path.' },
        })
    expect(JSON.stringify(await api.send('GET', '/openapi.json'))).not.toContain('/local/')
  })
})
