import { describe, expect, it } from 'vitest'
import { enrolmentRoutes } from '../../../src/actors/account/enrol-routes.ts'
import { callRoute } from '../../http/routes/call-route.ts'
import { account, accountsStub } from './accounts-stub.ts'

const begin = { invitation: 'i', name: 'n', password: 'a password long enough' }

describe('the routes of an enrolment', () => {
  it('answer refusals with their status', async () => {
    const gone = enrolmentRoutes(accountsStub({ refused: 'not_found', reason: 'Gone.' }))
    expect((await callRoute(gone, 'POST', '/v1/enrolments', begin)).status).toBe(404)
    const wrong = enrolmentRoutes(accountsStub({ refused: 'unauthorized', reason: 'No.' }))
    const confirm = { invitation: 'i', code: '000000' }
    expect((await callRoute(wrong, 'POST', '/v1/enrolments/confirm', confirm)).status).toBe(401)
  })

  it('show the seed of the authenticator once', async () => {
    const routes = enrolmentRoutes(accountsStub({ account, totpSeed: 'SEED', totpUrl: 'otpauth://x' }))
    expect(await callRoute(routes, 'POST', '/v1/enrolments', begin)).toMatchObject({
      status: 201,
      json: { emailAddress: '', totpSeed: 'SEED', totpUrl: 'otpauth://x' },
    })
  })
})
