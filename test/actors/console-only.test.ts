import { afterAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/http/callers/caller.ts'
import { startNodeServer } from '../../src/http/server/node-server.ts'
import { startUwsServer } from '../../src/http/server/uws-server.ts'
import { furnishedApi } from '../compose/furnished-api.ts'

const { api, at, key } = await furnishedApi([1_000_000, 1_000_000])
afterAll(() => api.close())

/** What the contract leaves to people of the console. */
const setupOfContract = [
  'POST /v1/schemas',
  'POST /v1/credential-definitions',
  ...['schemas', 'credential-definitions'].flatMap((kind) => [
    `POST /v1/${kind}/{id}/deprecate`,
    `POST /v1/${kind}/{id}/retry`,
  ]),
  'PUT /v1/webhook',
  'DELETE /v1/webhook',
  'POST /v1/webhook/secret',
  'POST /v1/webhook/test',
  'POST /v1/webhook/deliveries/{id}/retry',
  'POST /v1/webhook/deliveries/retry',
  'POST /v1/proof-templates',
  'PATCH /v1/proof-templates/{id}',
  'POST /v1/proof-templates/{id}/archive',
  'PUT /v1/data-retention',
  'GET /v1/biometric',
  'PUT /v1/biometric',
  'GET /v1/members',
  'POST /v1/members',
  'DELETE /v1/members/{id}',
  'POST /v1/sessions',
]

describe('setup', () => {
  it('is nothing for an API key, a wallet token or a viewer: 403, whatever is sent', async () => {
    const installation = { 'idempotency-key': '00000000-0000-4000-8000-000000000001' }
    const wallet = await api.send('POST', '/v1/wallets', { body: {}, as: key, headers: installation })
    const token = String(wallet.json['walletToken'])
    const viewer: Caller = { kind: 'member', tenantId: at.tenant, memberId: 'm', role: 'viewer' }
    const setup = api.routes.filter(({ access }) =>
      access.callers.every((caller) => caller === 'member' || caller === 'operator'),
    )
    expect(setup.length).toBeGreaterThan(20)
    for (const { method, path, access } of setup) {
      const target = path.replace('{id}', 'x')
      for (const as of [key, token])
        expect(await api.send(method, target, { as, body: 'nonsense' })).toMatchObject({
          status: 403,
          json: { error: 'forbidden' },
        })
      expect(await api.send(method, target, { body: 'nonsense' })).toMatchObject({ status: 401 })
      if (method !== 'GET' && !access.isOwnAccount)
        expect((await api.send(method, target, { as: viewer, body: '{}' })).status).toBe(403)
    }
  })

  it('begins with steps that refuse every credential before they read anything', async () => {
    const steps = api.routes.filter(({ access }) => access.isBeforeSignIn)
    expect(steps.map(({ path }) => path).toSorted()).toEqual([
      '/v1/enrolments',
      '/v1/enrolments/confirm',
      '/v1/sessions',
      '/v1/sessions/second-factor',
    ])
    for (const { method, path } of steps)
      for (const as of [key, 'svc_sk_unknown'])
        expect(await api.send(method, path, { as, body: 'nonsense' }), path).toMatchObject({
          status: 403,
          json: { error: 'forbidden' },
        })
  })

  it.each([
    ['uWebSockets.js', startUwsServer],
    ['node:http', startNodeServer],
  ])('is refused with a body too, on %s', async (_, start) => {
    const options = { host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 1_000_000 }
    const server = await start(options, api.door)
    try {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      for (const [method = '', path = ''] of setupOfContract.map((route) => route.split(' '))) {
        if (method === 'GET' || method === 'DELETE' || path === '/v1/sessions') continue
        const request = { method, headers, body: JSON.stringify({ name: 'a schema' }) }
        const answer = await fetch(`http://127.0.0.1:${server.port}${path.replace('{id}', 'x')}`, request)
        expect([answer.status, await answer.json()], path).toMatchObject([403, { error: 'forbidden' }])
      }
    } finally {
      await server[Symbol.asyncDispose]()
    }
  })

  it('of the contract is all there', () => {
    const here = new Set(api.routes.map(({ method, path }) => `${method} ${path}`))
    expect(setupOfContract.filter((route) => !here.has(route))).toEqual([])
  })
})
