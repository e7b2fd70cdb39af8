import { describe, expect, it } from 'vitest'
import { requestOf } from '../../../console/src/api/address.ts'

describe('a request', () => {
  it('has the ids of its path encoded, so that none leads elsewhere', () => {
    const { address } = requestOf('getConnection', { path: { id: '../session?x#y' } })
    expect(address).toBe('/v1/connections/..%2Fsession%3Fx%23y')
  })

  it('leaves out what is not asked for and repeats what has several values', () => {
    const { address } = requestOf('listCredentials', {
      query: { q: '', state: ['done', 'declined'], externalId: 'a&b', from: undefined, page: 2 },
    })
    expect(address).toBe('/v1/credentials?state=done&state=declined&externalId=a%26b&page=2')
  })

  it('knows method and body, and whether it has its effect once for a key', () => {
    expect(requestOf('inviteMember', { body: { emailAddress: 'a@b.example', role: 'viewer' } })).toEqual({
      method: 'POST',
      address: '/v1/members',
      isKeyed: true,
      body: { emailAddress: 'a@b.example', role: 'viewer' },
    })
  })
})
