import { describe, expect, it } from 'vitest'
import { proofRoutes } from '../../../src/actors/proof/routes.ts'
import { callRoute, exchangeFacts, fakeApi } from '../../http/routes/call-route.ts'

const proof = { ...exchangeFacts, status: 'request-sent', proofTemplateId: 'p1', request: '{}' }

describe('the routes of proofs', () => {
  it('request, with a reference image that no policy asks for', async () => {
    const { api, ordered } = fakeApi(proof, { id: 'x1', proof })
    const body = { connectionId: 'c1', proofTemplateId: 'p1', externalId: 'e' }
    const biometric = { referenceImage: 'x'.repeat(100) }
    const sent = { ...body, biometric }
    const answer = await callRoute(proofRoutes(api), 'POST', '/v1/proofs/request', sent)
    expect(answer).toMatchObject({ status: 202, json: { id: 'x1', verified: null, disclosed: null } })
    expect(ordered).toEqual([{ tenant: 't1', id: 'pro_beside', ...body }])
  })

  it('show and list by outcome', async () => {
    const { api, listed } = fakeApi(proof)
    expect((await callRoute(proofRoutes(api), 'GET', '/v1/proofs/x1')).status).toBe(200)
    await callRoute(proofRoutes(api), 'GET', '/v1/proofs?verified=false')
    expect(listed).toMatchObject([{ kind: 'proof', filters: { verified: 'false' } }])
    expect((await callRoute(proofRoutes(fakeApi(null).api), 'GET', '/v1/proofs/x1')).status).toBe(404)
  })
})
