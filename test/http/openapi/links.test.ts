import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { linksOf } from '../../../src/http/openapi/links.ts'
import { defineRoute, reply } from '../../../src/http/route/route.ts'

const answer = Type.Object({ id: Type.String(), connectionId: Type.String() })
const facts = { access: { callers: ['api_key'] }, summary: 'x', errors: [], idempotency: 'ignored' } as const
const show = (path: string, operationId: string, linkedBy?: string) =>
  defineRoute({
    ...facts,
    ...(linkedBy !== undefined && { linkedBy }),
    method: 'GET',
    path,
    operationId,
    responses: { 200: answer },
    handle: () => reply(200, { id: '', connectionId: '' }),
  })

const offer = { ...show('/v1/credentials/offer', 'offerCredential'), method: 'POST' } as const
const routes = [
  offer,
  show('/v1/credentials/{id}', 'getCredential'),
  show('/v1/connections/{id}', 'getConnection', 'connectionId'),
  show('/v1/connections', 'listConnections', 'invitationId'),
]

describe('the links of an answer', () => {
  it('lead to the record itself and to those it names', () => {
    expect(linksOf(offer, answer, routes)).toMatchObject({
      getCredential: { operationId: 'getCredential', parameters: { id: '$response.body#/id' } },
      getConnection: { operationId: 'getConnection', parameters: { id: '$response.body#/connectionId' } },
    })
  })

  it('lead to the record that was made where that is another than the path names', () => {
    const job = Type.Object({ id: Type.String() }, { title: 'Job' })
    const jobs = { ...show('/v1/jobs/{id}', 'getJob'), responses: { 200: job } }
    const links = linksOf(offer, job, [...routes, jobs])
    expect(links).toMatchObject({ getJob: { parameters: { id: '$response.body#/id' } } })
    expect(Object.keys(links)).toEqual(['getJob'])
    expect(linksOf(jobs, job, [...routes, jobs])).toEqual({})
  })

  it('lead from an invitation to its answers', () => {
    const invitation = Type.Object({ invitationId: Type.String() })
    expect(linksOf(offer, invitation, routes)).toMatchObject({
      listConnections: { parameters: { invitationId: '$response.body#/invitationId' } },
    })
  })

  it('never lead to where one is', () => {
    const [, credential] = routes
    if (credential === undefined) throw new Error('no route')
    expect(Object.keys(linksOf(credential, answer, routes))).toEqual(['getConnection'])
  })

  it('lead nowhere when the route they need is not there', () => {
    expect(linksOf(offer, answer, [offer])).toEqual({})
  })
})
