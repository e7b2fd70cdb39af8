import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../src/http/callers/caller.ts'
import { createTenant } from '../../src/actors/tenant/commands.ts'
import {
  administrator,
  type ApiOnMemory,
  apiOnMemory,
  freshOperator as operator,
  type SendOptions,
} from '../compose/api-on-memory.ts'
import { consolePeople } from '../compose/console-people.ts'
import { allowed } from '../actors/account/accounts-world.ts'

let api: ApiOnMemory
let tenant = ''
/** Without anybody yet. */
let youngTenant = ''
beforeAll(async () => {
  api = await apiOnMemory()
  tenant = allowed(await createTenant(api.service.useCases, 'Registry')).id
  youngTenant = allowed(await createTenant(api.service.useCases, 'Museum')).id
  const set = await api.send('PUT', '/v1/webhook', {
    as: administrator(tenant),
    body: { url: 'https://backend.example/' },
  })
  expect(set.status).toBe(201)
})
afterAll(() => api.close())

let keys = 0
const newKey = (): string => `key ${++keys}`
const post = (path: string, idempotencyKey: string, { headers, ...options }: SendOptions) =>
  api.send('POST', path.replace('{id}', youngTenant), {
    ...options,
    headers: { ...headers, 'idempotency-key': idempotencyKey },
  })

type Making = {
  readonly path: string
  readonly secret: string
  readonly options: (body?: object) => SendOptions
  /** What there is of it now. */
  readonly count: () => Promise<unknown>
}

const totalOf = async (path: string, as: Caller) => (await api.send('GET', path, { as })).json['total']

const makings: readonly Making[] = [
  {
    path: '/v1/operator/api-keys',
    secret: 'key',
    options: (more = {}) => ({
      as: operator,
      body: { tenantId: tenant, label: 'shop', ratePerMinute: 600, ...more },
    }),
    count: () => totalOf('/v1/operator/api-keys', operator),
  },
  {
    path: '/v1/members',
    secret: 'invitationLink',
    options: (more = {}) => ({
      as: administrator(tenant),
      body: { emailAddress: `guest${keys}@example.org`, role: 'viewer', ...more },
    }),
    count: () => totalOf('/v1/members', administrator(tenant)),
  },
  {
    path: '/v1/operator/operators',
    secret: 'invitationLink',
    options: (more = {}) => ({ as: operator, body: { emailAddress: `guest${keys}@example.org`, ...more } }),
    count: () => totalOf('/v1/operator/operators', operator),
  },
  {
    path: '/v1/operator/tenants/{id}/administrators',
    secret: 'invitationLink',
    options: (more = {}) => ({ as: operator, body: { emailAddress: `first${keys}@example.org`, ...more } }),
    count: () => totalOf('/v1/members', administrator(youngTenant)),
  },
]

describe.each(makings)('POST $path under an Idempotency-Key', ({ path, secret, options, count }) => {
  it('makes one, shows its secret once, and repeats the rest', async () => {
    const used = newKey()
    const order = options()
    const first = await post(path, used, order)
    expect([first.status, typeof first.json[secret]]).toEqual([201, 'string'])
    expect(first.headers).not.toHaveProperty('Idempotent-Replayed')
    const before = await count()
    const second = await post(path, used, order)
    expect([second.status, second.json]).toEqual([201, { ...first.json, [secret]: null }])
    expect(second.headers['Idempotent-Replayed']).toBe('true')
    expect(await count()).toBe(before)
  })

  it('makes one, and shows no secret again, when the first attempt was lost after it had made it', async () => {
    const used = newKey()
    const order = options()
    const { vault, runtime } = api.service
    const openTenant = vault.openTenant.bind(vault)
    // So that nothing is noted of how the attempt ended.
    vault.openTenant = () => Promise.reject(new Error('away'))
    const lost = await post(path, used, order)
    vault.openTenant = openTenant
    expect(lost.status).toBe(201)
    expect((await post(path, used, order)).json['error']).toBe('idempotency_in_progress')
    const before = await count()
    runtime.forward(3_600_000)
    const again = await post(path, used, order)
    expect([again.status, again.json]).toEqual([201, { ...lost.json, [secret]: null }])
    expect(again.headers['Idempotent-Replayed']).toBe('true')
    expect(await count()).toBe(before)
  })

  it('makes one of a hundred at once, and one of them has the secret', async () => {
    const used = newKey()
    const order = options()
    const before = Number(await count())
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(path, used, order)))
    expect(answers.filter(({ json }) => typeof json[secret] === 'string')).toHaveLength(1)
    for (const { status, json } of answers.filter((each) => each.status !== 201))
      expect([status, json['error']]).toEqual([409, 'idempotency_in_progress'])
    expect(Number(await count())).toBe(before + 1)
  })

  it('is refused with another body, and makes another under another key', async () => {
    const used = newKey()
    const order = options()
    await post(path, used, order)
    const [field] = Object.keys(order.body as object).filter(
      (name) => name === 'label' || name === 'emailAddress',
    )
    const other = options({ [field ?? '']: 'another@example.org' })
    expect((await post(path, used, other)).json['error']).toBe('idempotency_key_reused')
    expect((await post(path, newKey(), other)).status).toBe(201)
  })
})

describe('an Idempotency-Key', () => {
  it('of an attempt that died before it made anything makes it, secret and all', async () => {
    const path = '/v1/members'
    const body = { emailAddress: 'late@example.org', role: 'viewer' }
    const used = newKey()
    const hanging = api.served.map((route) => ({
      ...route,
      handle: () => new Promise<never>(() => undefined),
    }))
    const authorization = `Bearer administrator-of-${tenant}`
    const headers = { authorization, 'idempotency-key': used, 'content-type': 'application/json' }
    const head = { id: 'dies', method: 'POST', path, query: '', remoteAddress: '' }
    const dying = api.doorOf(hanging).accept({ ...head, headers: new Map(Object.entries(headers)) })
    void dying.respond(Buffer.from(JSON.stringify(body)))
    const again = () => post(path, used, { as: administrator(tenant), body })
    await expect.poll(async () => (await again()).json['error']).toBe('idempotency_in_progress')
    api.service.runtime.forward(3_600_000)
    const made = await again()
    expect([made.status, typeof made.json['invitationLink']]).toEqual([201, 'string'])
    expect((await again()).json).toEqual({ ...made.json, invitationLink: null })
  })

  it('of an invitation that renews another repeats no link either, and the link stays good', async () => {
    const order = { as: administrator(tenant), body: { emailAddress: 'twice@example.org', role: 'admin' } }
    await post('/v1/members', newKey(), order)
    const used = newKey()
    const renewed = await post('/v1/members', used, order)
    const again = await post('/v1/members', used, order)
    expect(again.json).toEqual({ ...renewed.json, invitationLink: null })
    const link = String(renewed.json['invitationLink'])
    await consolePeople(api).takeUp(link.slice(link.indexOf('#') + 1))
    expect((await post('/v1/members', used, order)).json).toEqual({ ...again.json, name: 'Ann' })
  })

  it('of an invitation shows nothing personal once the member is gone', async () => {
    const used = newKey()
    const order = { as: administrator(tenant), body: { emailAddress: 'gone@example.org', role: 'admin' } }
    const { json } = await post('/v1/members', used, order)
    await api.send('DELETE', `/v1/members/${String(json['id'])}`, { as: administrator(tenant) })
    const again = await post('/v1/members', used, order)
    expect(again).toMatchObject({
      status: 201,
      json: { id: json['id'], emailAddress: null, invitationLink: null },
    })
  })

  it('of a rotation makes one secret, which is shown once', async () => {
    const used = newKey()
    const as = administrator(tenant)
    const first = await post('/v1/webhook/secret', used, { as })
    expect(first.json['secret']).toMatch(/^svc_whsec_/)
    const again = await post('/v1/webhook/secret', used, { as })
    expect(again.json).toEqual({ ...first.json, secret: null })
    expect(again.headers['Idempotent-Replayed']).toBe('true')
  })

  it('of recovery codes is one’s own, and makes them once', async () => {
    const path = '/v1/account/recovery-codes'
    const used = newKey()
    const me = await consolePeople(api).enrol(tenant, 'ann@example.org')
    const first = await post(path, used, { headers: me.headers })
    expect(first.json['recoveryCodes']).toHaveLength(10)
    expect((await post(path, used, { headers: me.headers })).json).toEqual({ recoveryCodes: null })
    const other = await consolePeople(api).enrol(tenant, 'bea@example.org')
    expect((await post(path, used, { headers: other.headers })).json['recoveryCodes']).toHaveLength(10)
  })

  it('of a change answers as first, and changes nothing back', async () => {
    const { json } = await post('/v1/members', newKey(), {
      as: administrator(tenant),
      body: { emailAddress: 'role@example.org', role: 'viewer' },
    })
    const path = `/v1/members/${String(json['id'])}`
    const as = administrator(tenant)
    const used = newKey()
    const first = await post(path, used, { as, body: { role: 'admin' } })
    await post(path, newKey(), { as, body: { role: 'viewer' } })
    expect((await post(path, used, { as, body: { role: 'admin' } })).json).toEqual(first.json)
    expect((await api.send('GET', path, { as })).json['role']).toBe('viewer')
    expect((await post(path, used, { as, body: { role: 'viewer' } })).json['error']).toBe(
      'idempotency_key_reused',
    )
  })

  it('of a suspension does not suspend again what was resumed since', async () => {
    const { id } = allowed(await createTenant(api.service.useCases, 'Museum'))
    const path = `/v1/operator/tenants/${id}`
    const used = newKey()
    const first = await post(`${path}/suspend`, used, { as: operator })
    await post(`${path}/resume`, newKey(), { as: operator })
    const again = await post(`${path}/suspend`, used, { as: operator })
    expect(again.json).toEqual(first.json)
    expect((await api.send('GET', path, { as: operator })).json['status']).toBe('active')
  })
})
