import { afterAll, describe, expect, it } from 'vitest'
import { furnishedApi } from '../../compose/furnished-api.ts'

const { api, key } = await furnishedApi()
afterAll(() => api.close())

let installations = 0
const newInstallation = (): string => `00000000-0000-4000-8000-${String(++installations).padStart(12, '0')}`
const create = (installation: string | null, body: unknown = {}, as = key) =>
  api.send('POST', '/v1/wallets', {
    body,
    as,
    headers: installation === null ? {} : { 'idempotency-key': installation },
  })

describe('POST /v1/wallets', () => {
  it('makes a wallet; the retry, at any time, finds it and gets a fresh token', async () => {
    const installation = newInstallation()
    const first = await create(installation, { externalId: 'guest 1' })
    expect(first).toMatchObject({
      status: 201,
      json: { installationId: installation, externalId: 'guest 1', status: 'pending', connectedAt: null },
    })
    api.service.runtime.forward(3 * 86_400_000)
    const again = await create(installation.toUpperCase(), { externalId: 'guest 1' })
    expect([again.status, again.json['id']]).toEqual([200, first.json['id']])
    const before = String(first.json['walletToken'])
    const now = String(again.json['walletToken'])
    expect((await api.send('GET', '/v1/ledger', { as: before })).status).toBe(401)
    expect((await api.send('GET', '/v1/ledger', { as: now })).status).toBe(200)
  })

  it.each([null, '', 'x', '00000000-0000-4000-8000-00000000000g'])(
    'does not take %j for an installation',
    async (installation) => {
      expect(await create(installation)).toMatchObject({
        status: 400,
        json: { error: 'invalid_request', reason: 'Idempotency-Key must be the UUID of the installation.' },
      })
    },
  )

  it('makes one wallet of many simultaneous requests; one token of theirs is good', async () => {
    const installation = newInstallation()
    const answers = await Promise.all(Array.from({ length: 100 }, () => create(installation)))
    expect(new Set(answers.map(({ json }) => json['id'])).size).toBe(1)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(99)
    const tokens = answers.map(({ json }) => String(json['walletToken']))
    const tried = await Promise.all(tokens.map((as) => api.send('GET', '/v1/ledger', { as })))
    expect(tried.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

describe('wallets', () => {
  it('are listed by status, external id and what they are searched for', async () => {
    const installation = newInstallation()
    const { json } = await create(installation, { externalId: 'Ärger 100%' })
    const id = String(json['id'])
    const found = async (query: string) => {
      const { json: page } = await api.send('GET', `/v1/wallets?${query}`, { as: key })
      return (page['items'] as { id: string }[]).map((item) => item.id)
    }
    for (const query of ['externalId=%C3%A4rger%20100%25', 'q=%C3%84RGER', `q=${installation.slice(20)}`])
      expect(await found(query)).toEqual([id])
    expect(await found('status=revoked&q=%25')).toEqual([])
    await api.send('DELETE', `/v1/wallets/${id}`, { as: key })
    expect(await found('status=revoked&q=%25')).toEqual([id])
    expect(await api.send('GET', '/v1/wallets?status=other', { as: key })).toMatchObject({ status: 400 })
  })

  it('are shown without their token, and revoked as often as one likes', async () => {
    const { json } = await create(newInstallation())
    const { walletToken, ...record } = json
    const path = `/v1/wallets/${String(json['id'])}`
    expect((await api.send('GET', path, { as: key })).json).toEqual(record)
    const revoked = await api.send('DELETE', path, { as: key })
    expect(revoked).toMatchObject({ status: 200, json: { status: 'revoked', revokedBy: 'tenant' } })
    expect((await api.send('DELETE', path, { as: key })).json).toEqual(revoked.json)
    expect(await api.send('GET', '/v1/ledger', { as: String(walletToken) })).toMatchObject({ status: 401 })
  })
})

describe('a wallet token', () => {
  it('opens the ledger’s configuration and nothing else', async () => {
    const { json } = await create(newInstallation())
    const token = String(json['walletToken'])
    expect((await api.send('GET', '/v1/ledger', { as: token })).status).toBe(200)
    for (const { method, path, access } of api.routes) {
      if (access.callers.includes('wallet_token') || access.callers.includes('nobody')) continue
      expect(await api.send(method, path.replace('{id}', 'x'), { as: token })).toMatchObject({ status: 403 })
      // What is refused counts as well, and there are more routes than requests in a minute.
      api.service.runtime.forward(2_000)
    }
  })
})
