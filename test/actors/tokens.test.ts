import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTokenTags, TokenTags } from '../../src/actors/tokens.ts'
import { type ApiOnMemory, apiOnMemory } from '../compose/api-on-memory.ts'
import { consolePeople, PAGE } from '../compose/console-people.ts'
import { furnished } from '../compose/service-on-memory.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'

describe('the tag of a token', () => {
  const tags = new TokenTags(Buffer.alloc(32, 1))

  it('is found again on every node, and by no other service', async () => {
    const vault = new MemoryVault()
    const token = (await openTokenTags(vault)).tagged('key', 'text')
    expect((await openTokenTags(vault)).untagged('key', token)).toBe('text')
    expect(tags.untagged('key', token)).toBeNull()
  })

  it('fits one text and one purpose', () => {
    const token = tags.tagged('key', 'text')
    expect(tags.untagged('key', token)).toBe('text')
    const changed = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const wrong of ['', 'text', token.slice(1), token.slice(0, -1), `${token}A`, changed, `t${token}`])
      expect(tags.untagged('key', wrong)).toBeNull()
    expect(tags.untagged('session', token)).toBeNull()
  })
})

const MADE_UP = 200
/** Of a secret, and of a secret with a tag. */
const BYTES = [32, 44]

describe('credentials that somebody made up', () => {
  let api: ApiOnMemory
  let loads: () => number
  const random = (bytes: number) => randomBytes(bytes).toString('base64url')
  const hex = () => randomBytes(14).toString('hex')
  const token = (bytes: number) => `acc_${hex()}.${random(bytes)}`
  const body = (sent: object) => ({ body: sent, headers: PAGE })
  const cookie = (secret: string) => ({
    headers: { ...PAGE, cookie: `__Host-vouchsafe=acc_${hex()}.${secret}` },
  })
  beforeAll(async () => {
    api = await apiOnMemory()
    loads = () => api.service.journal.loads
  })
  afterAll(() => api.close())

  const pass = (bytes: number) => body({ signIn: token(bytes), code: '123456' })
  const invitation = (bytes: number) => body({ invitation: token(bytes), code: '123456' })
  it.each([
    ['API keys', 'GET', '/v1/connections', (bytes: number) => ({ as: `svc_sk_${hex()}${random(bytes)}` })],
    ['wallet tokens', 'GET', '/v1/ledger', (bytes: number) => ({ as: `svc_wt_${hex()}${random(bytes)}` })],
    ['sessions', 'GET', '/v1/session', (bytes: number) => cookie(random(bytes))],
    ['passes', 'POST', '/v1/sessions/second-factor', pass],
    ['invitations', 'POST', '/v1/enrolments/confirm', invitation],
  ])('have nothing read for them: %s', async (_what, method, target, made) => {
    const before = loads()
    for (let index = 0; index < MADE_UP; index++)
      expect([401, 404]).toContain((await api.send(method, target, made(BYTES[index % 2] ?? 0))).status)
    expect(loads() - before).toBe(0)
  })

  it('differ from good ones', async () => {
    const { tenant } = await furnished(api.service)
    const { headers } = await consolePeople(api).enrol(tenant, 'ann@example.org')
    expect((await api.send('GET', '/v1/session', { headers })).status).toBe(200)
    expect((await api.send('GET', '/v1/schemas', { as: await api.keyOf(tenant) })).status).toBe(200)
  })
})
