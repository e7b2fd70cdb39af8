import { describe, expect, it } from 'vitest'
import { signInRoutes } from '../../../src/actors/account/sign-in-routes.ts'
import { callRoute } from '../../http/routes/call-route.ts'
import { accountsStub } from './accounts-stub.ts'

const bodies = {
  '/v1/sessions': { organisation: null, emailAddress: 'a@b', password: 'p' },
  '/v1/sessions/second-factor': { signIn: 's', code: '000000' },
} as const
const paths = Object.keys(bodies) as (keyof typeof bodies)[]

describe('the routes of signing in', () => {
  it('answer refusals with their status', async () => {
    const routes = signInRoutes(accountsStub({ refused: 'unauthorized', reason: 'No.' }))
    for (const path of paths) expect((await callRoute(routes, 'POST', path, bodies[path])).status).toBe(401)
  })

  it('want exactly one second factor', async () => {
    const routes = signInRoutes(accountsStub(null))
    for (const factors of [{}, { code: '000000', recoveryCode: 'r' }])
      expect(
        await callRoute(routes, 'POST', '/v1/sessions/second-factor', { signIn: 's', ...factors }),
      ).toMatchObject({ status: 400, json: { error: 'invalid_request' } })
  })

  it('name the field that is wrong', async () => {
    const routes = signInRoutes(accountsStub(null))
    for (const path of paths) {
      const answer = await callRoute(routes, 'POST', path, { ...bodies[path], more: 1 })
      expect(answer).toMatchObject({
        status: 400,
        json: { reason: expect.stringContaining('more') as unknown },
      })
    }
  })
})
