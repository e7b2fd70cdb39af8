import { describe, expect, it } from 'vitest'
import { catalogueRoutes } from '../../../src/actors/credential-definition/routes.ts'
import { callRoute, fakeApi } from '../../http/routes/call-route.ts'

const schema = {
  name: 'p',
  version: '1.0',
  attributes: ['a'],
  status: 'pending',
  ledgerId: null,
  lastError: null,
}

describe('the routes of the catalogue', () => {
  it('list schemas by status', async () => {
    const { api, listed } = fakeApi(schema)
    const answer = await callRoute(catalogueRoutes(api), 'GET', '/v1/schemas?status=pending')
    expect(answer.json).toMatchObject({ items: [{ id: 'x1', status: 'pending', schemaId: null }] })
    expect(listed).toMatchObject([{ kind: 'schema', states: ['pending'] }])
  })

  it('list definitions', async () => {
    const { api, listed } = fakeApi({
      ...schema,
      schema: { ledgerId: 'l', name: 'p', version: '1.0' },
      tag: 't',
    })
    const answer = await callRoute(catalogueRoutes(api), 'GET', '/v1/credential-definitions')
    expect(answer.json).toMatchObject({ items: [{ id: 'x1', schemaName: 'p', tag: 't' }] })
    expect(listed).toMatchObject([{ kind: 'credential-definition', states: [] }])
  })

  it('refuse a status that does not exist', async () => {
    const { api } = fakeApi(schema)
    expect((await callRoute(catalogueRoutes(api), 'GET', '/v1/schemas?status=x')).status).toBe(400)
  })
})
