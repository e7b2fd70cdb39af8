import { describe, expect, it } from 'vitest'
import { connectionRoutes } from '../../../src/actors/connection/routes.ts'
import { callRoute, exchangeFacts, fakeApi } from '../../http/routes/call-route.ts'

const record = { ...exchangeFacts, status: 'completed', theirLabel: 'Phone' }

describe('the routes of connections', () => {
  it('make invitations with the defaults of the contract', async () => {
    const made = { invitationId: 'i', invitationUrl: 'u', multiUse: false }
    const { api, ordered } = fakeApi(record, made)
    const answer = await callRoute(connectionRoutes(api), 'POST', '/v1/connections/invitations', {})
    expect(answer).toMatchObject({ status: 201, json: made })
    expect(ordered).toEqual([{ tenant: 't1', id: 'inv_new', multiUse: false, alias: null, externalId: null }])
  })

  it('answer a refusal with its status', async () => {
    const { api } = fakeApi(record, { refused: 'organisation_not_ready', reason: 'Not yet.' })
    expect(await callRoute(connectionRoutes(api), 'POST', '/v1/connections/invitations', {})).toMatchObject({
      status: 409,
      json: { error: 'organisation_not_ready', reason: 'Not yet.' },
    })
  })

  it('show one and list them', async () => {
    const { api, listed } = fakeApi(record)
    expect(await callRoute(connectionRoutes(api), 'GET', '/v1/connections/x1')).toMatchObject({
      status: 200,
      json: { id: 'x1', state: 'completed', updatedAt: '1970-01-01T00:00:01.000Z' },
    })
    const list = await callRoute(
      connectionRoutes(api),
      'GET',
      '/v1/connections?invitationId=i1&state=a&state=b',
    )
    expect(list.json).toMatchObject({ total: 1, page: 1, pageSize: 25, items: [{ id: 'x1' }] })
    expect(listed).toMatchObject([
      { kind: 'connection', filters: { invitationId: 'i1' }, states: ['a', 'b'] },
    ])
  })

  it('know nothing of what is not there', async () => {
    const { api } = fakeApi(null)
    expect((await callRoute(connectionRoutes(api), 'GET', '/v1/connections/x1')).status).toBe(404)
  })
})
