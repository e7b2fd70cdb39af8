import { describe, expect, it } from 'vitest'
import { credentialRoutes } from '../../../src/actors/credential/routes.ts'
import { callRoute, exchangeFacts, fakeApi } from '../../http/routes/call-route.ts'

const credential = {
  ...exchangeFacts,
  status: 'offer-sent',
  definition: { catalogueId: 'd1', ledgerId: 'l1' },
  attributes: { name: 'Ada' },
}
const body = { connectionId: 'c1', credentialDefinitionId: 'd1', attributes: { name: 'Ada' } }

describe('the routes of credentials', () => {
  it('offer', async () => {
    const { api, ordered } = fakeApi(credential, { id: 'x1', credential })
    const answer = await callRoute(credentialRoutes(api), 'POST', '/v1/credentials/offer', body)
    expect(answer).toMatchObject({ status: 202, json: { id: 'x1', state: 'offer-sent', biometric: null } })
    expect(ordered).toEqual([{ tenant: 't1', id: 'cre_beside', externalId: null, ...body }])
  })

  it.each([{ ...body, connectionId: '' }, { ...body, extra: 1 }, { ...body, attributes: { a: 1 } }, {}])(
    'refuse a body such as %j',
    async (wrong) => {
      const { api } = fakeApi(credential)
      const answer = await callRoute(credentialRoutes(api), 'POST', '/v1/credentials/offer', wrong)
      expect(answer.status).toBe(400)
    },
  )

  it('refuse attributes that cannot be signed', async () => {
    const refused = { refused: 'invalid_request', reason: 'attributes: as the case says.' }
    const { api } = fakeApi(credential, refused)
    const answer = await callRoute(credentialRoutes(api), 'POST', '/v1/credentials/offer', body)
    expect(answer).toMatchObject({ status: 400 })
  })

  it('show and list', async () => {
    const { api, listed } = fakeApi(credential)
    expect((await callRoute(credentialRoutes(api), 'GET', '/v1/credentials/x1')).json['id']).toBe('x1')
    await callRoute(credentialRoutes(api), 'GET', '/v1/credentials?connectionId=c1')
    expect(listed).toMatchObject([{ kind: 'credential', filters: { connectionId: 'c1' } }])
    const gone = await callRoute(credentialRoutes(fakeApi(null).api), 'GET', '/v1/credentials/x1')
    expect(gone.status).toBe(404)
  })
})
