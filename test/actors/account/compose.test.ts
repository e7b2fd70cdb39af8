import { afterAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/actors/tenant/commands.ts'
import { allowed, password, tokenOf } from './accounts-world.ts'
import { softwareAuthenticator } from './software-authenticator.ts'
import { apiOnMemory, freshOperator } from '../../compose/api-on-memory.ts'
import { consolePeople, cookieOf, PAGE, type Person } from '../../compose/console-people.ts'

const at = await apiOnMemory()
const people = consolePeople(at)
const tenant = allowed(await createTenant(at.service.useCases, 'Registry')).id
const admin = await people.enrol(tenant, 'ann@example.org')
const viewer = await people.enrol(tenant, 'vic@example.org', 'viewer')
afterAll(() => at.close())

const stepUp = async ({ headers, seed }: Person) => {
  const body = { code: people.nextCode(seed) }
  expect(await at.send('POST', '/v1/session/step-up', { headers, body })).toMatchObject({ status: 200 })
}
const signIn = (emailAddress: string, given = password) =>
  at.send('POST', '/v1/sessions', {
    headers: PAGE,
    body: { organisation: tenant, emailAddress, password: given },
  })

describe('a person of the console', () => {
  it('has a cookie that scripts, other hosts and other sites do not get', async () => {
    const begun = await signIn('ann@example.org')
    const body = { signIn: begun.json['signIn'], code: people.nextCode(admin.seed) }
    const done = await at.send('POST', '/v1/sessions/second-factor', { headers: PAGE, body })
    expect(done).toMatchObject({ status: 201, json: { account: { id: admin.id, role: 'admin' } } })
    expect(done.headers['Set-Cookie']).toMatch(
      /^__Host-vouchsafe=acc_\w+\.[\w-]{59}; Max-Age=(86400|863\d\d); Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
  })

  it('has a second one for the device, which lets in while the account is locked for others', async () => {
    const dan = await people.enrol(tenant, 'dan@example.org')
    const body = { organisation: tenant, emailAddress: 'dan@example.org', password }
    const begun = await at.send('POST', '/v1/sessions', { headers: PAGE, body })
    const code = people.nextCode(dan.seed)
    const second = { headers: PAGE, body: { signIn: begun.json['signIn'], code } }
    const { cookies } = await at.send('POST', '/v1/sessions/second-factor', second)
    expect(cookies).toHaveLength(2)
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ')
    for (let index = 0; index < 5; index++) await signIn('dan@example.org', 'wrong password')
    expect((await at.send('POST', '/v1/sessions', { headers: PAGE, body })).status).toBe(429)
    expect((await at.send('POST', '/v1/sessions', { headers: { ...PAGE, cookie }, body })).status).toBe(200)
  })

  it('is who the cookie says, and nobody without it', async () => {
    expect(await at.send('GET', '/v1/session', { headers: admin.headers })).toMatchObject({
      json: { account: { emailAddress: 'ann@example.org', organisation: tenant, recoveryCodesLeft: 10 } },
    })
    expect((await at.send('GET', '/v1/session', { headers: PAGE })).status).toBe(401)
    const forged = {
      ...PAGE,
      cookie: `${admin.cookie.slice(0, -1)}${admin.cookie.endsWith('x') ? 'y' : 'x'}`,
    }
    const refused = await at.send('GET', '/v1/session', { headers: forged })
    expect(refused).toMatchObject({ status: 401, json: { error: 'unauthorized' } })
    expect(refused.headers['Set-Cookie']).toContain('Max-Age=0')
  })

  it('is sent to the sign-in when the account has gone meanwhile', async () => {
    for (const [method, path] of [
      ['GET', '/v1/session'],
      ['POST', '/v1/account/passkeys/options'],
    ] as const)
      expect(await at.send(method, path, { as: freshOperator })).toMatchObject({
        status: 401,
        json: { error: 'unauthorized' },
      })
  })

  it('is not helped by pages of others', async () => {
    const { cookie } = admin
    const body = { code: '000000' }
    for (const foreign of [
      { cookie, 'sec-fetch-site': 'cross-site' },
      { cookie, 'sec-fetch-site': 'same-site' },
      { cookie, 'sec-fetch-site': 'none' },
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: 'null' },
      { cookie },
    ])
      expect(await at.send('POST', '/v1/session/step-up', { headers: foreign, body })).toMatchObject({
        status: 403,
        json: { error: 'forbidden' },
      })
    const own = { cookie, origin: 'https://issuer.example' }
    expect((await at.send('GET', '/v1/session', { headers: own })).status).toBe(200)
    for (const path of [
      '/v1/sessions',
      '/v1/sessions/second-factor',
      '/v1/enrolments',
      '/v1/enrolments/confirm',
    ]) {
      const bodies: Record<string, object> = {
        '/v1/sessions': { organisation: null, emailAddress: 'ada@registry.example', password: 'p' },
        '/v1/sessions/second-factor': { signIn: 's', code: '000000' },
        '/v1/enrolments': { invitation: 'i', name: 'n', password: 'twelve or more' },
        '/v1/enrolments/confirm': { invitation: 'i', code: '000000' },
      }
      const headers = { 'sec-fetch-site': 'cross-site' }
      expect((await at.send('POST', path, { headers, body: bodies[path] })).status).toBe(403)
    }
  })

  it('shows exactly one second factor', async () => {
    for (const factors of [{}, { code: '000000', recoveryCode: 'r' }]) {
      const body = { signIn: 's', ...factors }
      const answer = await at.send('POST', '/v1/sessions/second-factor', { headers: PAGE, body })
      expect(answer).toMatchObject({ status: 400, json: { error: 'invalid_request' } })
    }
  })

  it('waits after too many failures, and is told for how long', async () => {
    await people.enrol(tenant, 'loc@example.org')
    for (let failure = 0; failure < 5; failure++) await signIn('loc@example.org', 'wrong password')
    const locked = await signIn('loc@example.org')
    expect(locked).toMatchObject({ status: 429, json: { error: 'rate_limited' } })
    expect(Number(locked.headers['Retry-After'])).toBeGreaterThan(20)
  })

  it('sees, ends and leaves sessions', async () => {
    const guest = await people.enrol(tenant, 'gus@example.org', 'viewer')
    const begun = await signIn('gus@example.org')
    const body = { signIn: begun.json['signIn'], recoveryCode: guest.recoveryCodes[0] }
    const second = await at.send('POST', '/v1/sessions/second-factor', { headers: PAGE, body })
    const other = { ...PAGE, cookie: cookieOf(second.headers) }
    const listed = await at.send('GET', '/v1/sessions', { headers: guest.headers })
    const items = listed.json['items'] as readonly { id: string; current: boolean; userAgent: string }[]
    expect(items.map(({ current }) => current)).toEqual([false, true])
    expect(items[0]?.userAgent).toBe('Firefox')
    const path = `/v1/sessions/${items[0]?.id}`
    expect((await at.send('DELETE', path, { headers: guest.headers })).status).toBe(200)
    expect((await at.send('GET', '/v1/session', { headers: other })).status).toBe(401)
    expect((await at.send('DELETE', path, { headers: guest.headers })).status).toBe(404)
    const out = await at.send('DELETE', '/v1/session', { headers: guest.headers })
    expect(out.headers['Set-Cookie']).toContain('Max-Age=0')
    expect((await at.send('GET', '/v1/session', { headers: guest.headers })).status).toBe(401)
  })

  it('signs out everywhere, and gets new recovery codes and a new password', async () => {
    const guest = await people.enrol(tenant, 'hal@example.org', 'viewer')
    const { headers } = guest
    expect((await at.send('POST', '/v1/account/recovery-codes', { headers })).status).toBe(201)
    const body = { currentPassword: password, newPassword: 'a new long password' }
    expect((await at.send('POST', '/v1/account/password', { headers, body })).status).toBe(200)
    expect((await at.send('POST', '/v1/account/password', { headers, body })).status).toBe(403)
    const out = await at.send('DELETE', '/v1/sessions', { headers })
    expect([out.status, out.headers['Set-Cookie']]).toEqual([200, expect.stringContaining('Max-Age=0')])
    expect((await at.send('GET', '/v1/session', { headers })).status).toBe(401)
    expect((await signIn('hal@example.org', 'a new long password')).status).toBe(200)
  })
})

describe('a passkey', () => {
  it('is made after a fresh code and opens a session', async () => {
    const { headers, seed } = await people.enrol(tenant, 'pat@example.org', 'viewer')
    at.service.runtime.forward(5 * 60_000)
    const early = await at.send('POST', '/v1/account/passkeys/options', { headers })
    expect(early).toMatchObject({ status: 403, json: { error: 'step_up_required' } })
    const body = { code: people.nextCode(seed) }
    expect((await at.send('POST', '/v1/session/step-up', { headers, body })).status).toBe(200)
    const options = await at.send('POST', '/v1/account/passkeys/options', { headers })
    expect(options).toMatchObject({ status: 200, json: { rp: { id: 'issuer.example' } } })
    const device = softwareAuthenticator('https://issuer.example')
    const made = device.make(String(options.json['challenge']), 'issuer.example')
    const added = await at.send('POST', '/v1/account/passkeys', {
      headers,
      body: { label: 'Key', response: made },
    })
    expect(added).toMatchObject({ status: 201, json: { label: 'Key', lastUsedAt: null } })
    const begun = await signIn('pat@example.org')
    const request = begun.json['passkey'] as { challenge: string; rpId: string }
    const passkey = device.use(request.challenge, request.rpId)
    const done = await at.send('POST', '/v1/sessions/second-factor', {
      headers: PAGE,
      body: { signIn: begun.json['signIn'], passkey },
    })
    expect(done).toMatchObject({ status: 201, json: { account: { role: 'viewer' } } })
    const path = `/v1/account/passkeys/${String(added.json['id'])}`
    expect((await at.send('DELETE', path, { headers })).status).toBe(200)
    expect((await at.send('GET', '/v1/account/passkeys', { headers })).json).toMatchObject({
      items: [],
      total: 0,
    })
  })
})

describe('roles', () => {
  it('let members read what the organisation has, and keep API keys out of the console', async () => {
    const key = await at.keyOf(tenant)
    for (const path of ['/v1/connections', '/v1/schemas', '/v1/members', '/v1/audit-log', '/v1/webhook'])
      expect((await at.send('GET', path, { headers: viewer.headers })).status).toBe(200)
    for (const [method, path] of [
      ['GET', '/v1/members'],
      ['POST', '/v1/members'],
      ['GET', '/v1/members/x'],
      ['DELETE', '/v1/members/x'],
      ['POST', '/v1/members/x'],
      ['POST', '/v1/sessions'],
      ['GET', '/v1/session'],
      ['GET', '/v1/audit-log'],
      ['GET', '/v1/operator/audit-log'],
      ['GET', '/v1/operator/operators'],
    ] as const) {
      const body =
        path === '/v1/sessions' ? { organisation: null, emailAddress: 'a@b', password: 'p' } : undefined
      const answer = await at.send(method, path, { as: key, headers: PAGE, ...(body && { body }) })
      expect([path, answer.status, answer.json['error']]).toEqual([path, 403, 'forbidden'])
    }
  })

  it('let a viewer change nothing but their own account', async () => {
    const body = { emailAddress: 'new@example.org', role: 'viewer' }
    expect((await at.send('POST', '/v1/members', { headers: viewer.headers, body })).status).toBe(403)
    expect((await at.send('DELETE', `/v1/members/${admin.id}`, { headers: viewer.headers })).status).toBe(403)
    await stepUp(viewer)
  })

  it('keep operators and members apart', async () => {
    const operator = await people.enrol(null, 'root@example.org', 'operator')
    const { headers } = operator
    expect((await at.send('GET', '/v1/members', { headers })).status).toBe(403)
    expect((await at.send('GET', '/v1/connections', { headers })).status).toBe(403)
    expect((await at.send('GET', '/v1/operator/operators', { headers: admin.headers })).status).toBe(403)
    expect(await at.send('GET', '/v1/operator/operators', { headers })).toMatchObject({ json: { total: 1 } })
    await stepUp(operator)
    const body = { emailAddress: 'second@example.org' }
    const invited = await at.send('POST', '/v1/operator/operators', { headers, body })
    expect(invited).toMatchObject({ status: 201, json: { role: 'operator', status: 'invited' } })
    expect((await at.send('DELETE', `/v1/operator/operators/${operator.id}`, { headers })).status).toBe(409)
    const log = await at.send('GET', '/v1/operator/audit-log?action=inviteOperator', { headers })
    expect(log.json).toMatchObject({ total: 1, items: [{ initiatorId: operator.id, outcome: 'done' }] })
    const ofTenant = await at.send('GET', `/v1/operator/audit-log?organisation=${tenant}`, { headers })
    expect(Number(ofTenant.json['total'])).toBeGreaterThan(3)
  })
})

describe('members', () => {
  it('are invited after a fresh code only, take up the link, and are removed', async () => {
    at.service.runtime.forward(5 * 60_000)
    const body = { emailAddress: 'New@example.org', role: 'viewer' }
    const early = await at.send('POST', '/v1/members', { headers: admin.headers, body })
    expect(early).toMatchObject({ status: 403, json: { error: 'step_up_required' } })
    await stepUp(admin)
    const invited = await at.send('POST', '/v1/members', { headers: admin.headers, body })
    expect(invited).toMatchObject({
      status: 201,
      json: { emailAddress: 'new@example.org', status: 'invited' },
    })
    const newcomer = await people.takeUp(tokenOf(String(invited.json['invitationLink'])))
    const again = await at.send('POST', '/v1/members', { headers: admin.headers, body })
    expect(again).toMatchObject({ status: 409, json: { error: 'already_member' } })
    const path = `/v1/members/${newcomer.id}`
    const promoted = await at.send('POST', path, { headers: admin.headers, body: { role: 'admin' } })
    expect(promoted).toMatchObject({ status: 200, json: { role: 'admin' } })
    expect((await at.send('DELETE', path, { headers: admin.headers })).status).toBe(200)
    expect((await at.send('GET', '/v1/session', { headers: newcomer.headers })).status).toBe(401)
    expect((await at.send('GET', path, { headers: admin.headers })).status).toBe(404)
    const log = await at.send('GET', '/v1/audit-log?action=inviteMember', { headers: viewer.headers })
    expect(log.json['items']).toMatchObject([
      { action: 'inviteMember', outcome: 'refused', initiatorId: admin.id },
      { action: 'inviteMember', outcome: 'done', targetId: newcomer.id },
    ])
  })

  it('are found by address and name, page by page', async () => {
    const found = await at.send('GET', '/v1/members?q=VIC', { headers: admin.headers })
    expect(found.json).toMatchObject({ total: 1, page: 1, pageSize: 25, items: [{ id: viewer.id }] })
    expect((await at.send('GET', '/v1/members?page=2', { headers: admin.headers })).json['items']).toEqual([])
    expect((await at.send('GET', '/v1/members?pageSize=26', { headers: admin.headers })).status).toBe(400)
  })

  it('of others and those that never were look the same', async () => {
    const other = allowed(await createTenant(at.service.useCases, 'Other')).id
    const stranger = await people.enrol(other, 'ann@example.org')
    const texts = await Promise.all(
      [stranger.id, 'acc_00zzzzzzzz'].map(async (id) => {
        const shown = await at.send('GET', `/v1/members/${id}`, { headers: admin.headers })
        const removed = await at.send('DELETE', `/v1/members/${id}`, { headers: admin.headers })
        return [shown.status, shown.text, removed.status, removed.text]
      }),
    )
    expect(texts[0]).toEqual(texts[1])
    expect((await at.send('GET', '/v1/members', { headers: stranger.headers })).json).toMatchObject({
      total: 1,
    })
    const log = await at.send('GET', '/v1/audit-log', { headers: stranger.headers })
    expect(
      (log.json['items'] as { organisation: string }[]).every((line) => line.organisation === other),
    ).toBe(true)
  })
})

describe('a stranger', () => {
  it('gets the answers of an account, and leaves nothing durable, whatever key the request has', async () => {
    const fresh = await apiOnMemory()
    const { id } = allowed(await createTenant(fresh.service.useCases, 'Registry'))
    await consolePeople(fresh).enrol(id, 'ann@example.org')
    const { batches } = fresh.service.journal
    const attempts = async (emailAddress: string) => {
      const before = batches.length
      const answers: unknown[] = []
      for (let index = 0; index < 7; index++) {
        const headers = { ...PAGE, 'idempotency-key': `${emailAddress} ${index}` }
        const body = { organisation: id, emailAddress, password: 'wrong password' }
        const { status, json } = await fresh.send('POST', '/v1/sessions', { headers, body })
        answers.push([status, json['error'], json['message']])
      }
      const committed = batches.slice(before).flatMap((entries) => entries.map(({ actor }) => actor))
      return { answers, committed }
    }
    const stranger = await attempts('eve@example.org')
    const known = await attempts('ann@example.org')
    expect(stranger.answers).toEqual(known.answers)
    expect(stranger.answers.map((answer) => (answer as unknown[])[0])).toEqual([
      401, 401, 401, 401, 401, 429, 429,
    ])
    expect(known.committed.some((actor) => actor.startsWith('try_'))).toBe(true)
    expect(stranger.committed).toEqual([])
    await fresh.close()
  })
})
