import { afterAll, describe, expect, it } from 'vitest'
import { apiOnMemory } from '../../compose/api-on-memory.ts'
import { consolePeople, type Person } from '../../compose/console-people.ts'
import { furnished } from '../../compose/service-on-memory.ts'
import { password } from '../account/accounts-world.ts'
import { eventually } from '../../eventually.ts'

const PATH = '/v1/operator/acting'
const REASON = 'Ticket 4711 of Ada Lovelace'
const HOUR_MS = 3_600_000
const nobody = { organisation: null, reason: null, mayChange: false, startedAt: null, endsAt: null }

type Line = {
  readonly action: string
  readonly initiator: string
  readonly initiatorId: string | null
  readonly reason: string | null
  readonly outcome: string
  readonly organisation: string | null
}

let enrolled = 0
const api = await apiOnMemory()
const people = consolePeople(api)
const mine = await furnished(api.service)
const theirs = await furnished(api.service, 'bbbbbbbbbb')
const admin = await people.enrol(mine.tenant, 'ann@example.org')
afterAll(() => api.close())

const newOperator = () => people.enrol(null, `operator${++enrolled}@example.org`, 'operator')
const ask = (who: Person, method: string, target: string, body?: unknown) =>
  api.send(method, target, { headers: who.headers, ...(body !== undefined && { body }) })
const begin = (who: Person, more: object = {}) =>
  ask(who, 'POST', PATH, { organisation: mine.tenant, reason: REASON, ...more })
const linesOf = async (who: Person): Promise<readonly Line[]> => {
  const log = await ask(admin, 'GET', '/v1/audit-log?pageSize=100')
  const items = log.json['items'] as readonly Line[]
  return items.filter(({ initiatorId }) => initiatorId === who.id)
}
const connection = () => `/v1/connections/${mine.connectionId}`

describe('an operator who acts for an organisation', () => {
  it('reads what a member could, and the organisation reads who began, why, what, and the end', async () => {
    const operator = await newOperator()
    const begun = await begin(operator)
    expect(begun).toMatchObject({
      status: 201,
      json: { organisation: mine.tenant, reason: REASON, mayChange: false },
    })
    expect(Date.parse(String(begun.json['endsAt'])) - Date.parse(String(begun.json['startedAt']))).toBe(
      HOUR_MS,
    )
    expect((await ask(operator, 'GET', PATH)).json).toEqual(begun.json)
    expect(await ask(operator, 'GET', connection())).toMatchObject({
      status: 200,
      json: { id: mine.connectionId },
    })
    expect((await ask(operator, 'GET', '/v1/members')).json['total']).toBe(1)
    expect(await ask(operator, 'DELETE', PATH)).toMatchObject({ status: 200, json: nobody })
    expect((await ask(operator, 'GET', PATH)).json).toEqual(nobody)
    await eventually(async () =>
      expect((await linesOf(operator)).map(({ action }) => action).toSorted()).toEqual(
        ['beginActing', 'endActing', 'getConnection', 'listMembers'].toSorted(),
      ),
    )
    const lines = await linesOf(operator)
    const of = (action: string) => lines.find((line) => line.action === action)
    expect(of('beginActing')).toMatchObject({ initiator: 'operator', reason: REASON, outcome: 'done' })
    expect(of('getConnection')).toMatchObject({ initiator: 'acting_operator', reason: null, outcome: 'done' })
    expect(of('endActing')).toMatchObject({ initiator: 'operator', organisation: mine.tenant })
  })

  it('sees nothing of an organisation before, after, and of any other meanwhile', async () => {
    const operator = await newOperator()
    const tenantRoutes = api.routes.filter(
      ({ access: { callers } }) =>
        callers.includes('member') && !callers.includes('operator') && !callers.includes('nobody'),
    )
    expect(tenantRoutes.length).toBeGreaterThan(25)
    const isShut = async () => {
      for (const { method, path } of tenantRoutes) {
        const target = path.replace('{id}', mine.connectionId)
        const answer = await ask(operator, method, target, method === 'GET' ? undefined : {})
        expect([answer.status, answer.json['error']], `${method} ${path}`).toEqual([403, 'forbidden'])
      }
    }
    await isShut()
    await begin(operator, { mayChange: true })
    const foreign = await ask(operator, 'GET', `/v1/connections/${theirs.connectionId}`)
    const unknown = await ask(operator, 'GET', `/v1/connections/con_00${'z'.repeat(10)}`)
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    expect((await ask(operator, 'GET', '/v1/connections')).text).not.toContain(theirs.connectionId)
    await ask(operator, 'DELETE', PATH)
    await isShut()
  })

  it('changes something only when that was said at the beginning', async () => {
    const operator = await newOperator()
    const retention = { retentionDays: 30 }
    await begin(operator)
    expect(await ask(operator, 'PUT', '/v1/data-retention', retention)).toMatchObject({ status: 403 })
    expect((await begin(operator, { mayChange: true })).status).toBe(201)
    expect(await ask(operator, 'PUT', '/v1/data-retention', retention)).toMatchObject({ status: 200 })
    const changed = (await linesOf(operator)).filter(({ action }) => action === 'setDataRetention')
    expect(changed).toMatchObject([{ initiator: 'acting_operator', outcome: 'done' }])
  })

  it('has a line for what is answered again under a key as well', async () => {
    const operator = await newOperator()
    await begin(operator, { mayChange: true })
    const headers = { ...operator.headers, 'idempotency-key': 'again' }
    const invite = () => api.send('POST', '/v1/connections/invitations', { headers, body: { alias: 'x' } })
    const [first, again] = [await invite(), await invite()]
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.headers['Idempotent-Replayed']).toBe('true')
    const lines = (await linesOf(operator)).filter(({ action }) => action !== 'beginActing')
    expect(lines.map(({ outcome }) => outcome)).toEqual(['done', 'done'])
  })

  it('is shown no secret and sets none', async () => {
    const operator = await newOperator()
    await begin(operator, { mayChange: true })
    const installation = { 'idempotency-key': '00000000-0000-4000-8000-0000000000bb' }
    const orders: readonly (readonly [string, string, object?])[] = [
      ['PUT', '/v1/webhook', { url: 'https://backend.example/w' }],
      ['POST', '/v1/webhook/secret'],
      ['POST', '/v1/members', { emailAddress: 'friend@example.org', role: 'admin' }],
      ['POST', '/v1/wallets', {}],
    ]
    for (const [method, target, body] of orders) {
      const headers = { ...operator.headers, ...installation }
      const answer = await api.send(method, target, { headers, ...(body !== undefined && { body }) })
      expect([answer.status, answer.json['error']], target).toEqual([403, 'forbidden'])
    }
    const refused = (await linesOf(operator)).filter(({ outcome }) => outcome === 'refused')
    expect(refused.map(({ action }) => action).toSorted()).toEqual(
      ['createWallet', 'inviteMember', 'rotateWebhookSecret', 'setWebhook'].toSorted(),
    )
  })

  it('removes the webhook endpoint after a fresh code only', async () => {
    const operator = await newOperator()
    await begin(operator, { mayChange: true })
    api.service.runtime.forward(5 * 60_000)
    const remove = () => ask(operator, 'DELETE', '/v1/webhook')
    expect((await remove()).json['error']).toBe('step_up_required')
    const body = { code: people.nextCode(operator.seed) }
    await api.send('POST', '/v1/session/step-up', { headers: operator.headers, body })
    expect((await remove()).status).toBe(200)
    const lines = (await linesOf(operator)).filter(({ action }) => action === 'removeWebhook')
    expect(lines.map(({ outcome }) => outcome)).toEqual(['done', 'refused'])
  })

  it('changes nobody of the organisation, neither role nor invitation nor session', async () => {
    const operator = await newOperator()
    await begin(operator, { mayChange: true })
    const viewer = await people.enrol(mine.tenant, 'vera@example.org', 'viewer')
    const changes = api.routes.filter(
      ({ method, path, access }) =>
        method !== 'GET' &&
        access.callers.includes('member') &&
        /^\/v1\/(members|invitations|sessions)/.test(path),
    )
    const ofMembers = changes.filter(({ access }) => !access.callers.includes('operator'))
    expect(ofMembers.map(({ operationId }) => operationId).toSorted()).toEqual(
      ['changeMemberRole', 'inviteMember', 'removeMember'].toSorted(),
    )
    const bodies: Readonly<Record<string, object>> = {
      changeMemberRole: { role: 'admin' },
      inviteMember: { emailAddress: 'friend@example.org', role: 'admin' },
    }
    for (const { method, path, operationId } of ofMembers) {
      const answer = await ask(operator, method, path.replace('{id}', viewer.id), bodies[operationId])
      expect([answer.status, answer.json['error']], operationId).toEqual([403, 'forbidden'])
    }
    // The routes of sessions are an operator's own, whatever the session acts for.
    const sessionId = String(
      ((await ask(viewer, 'GET', '/v1/sessions')).json['items'] as readonly { id: string }[])[0]?.id,
    )
    expect((await ask(operator, 'DELETE', `/v1/sessions/${sessionId}`)).status).toBe(404)
    expect((await ask(viewer, 'GET', '/v1/session')).json).toMatchObject({ account: { role: 'viewer' } })
    const refused = (await linesOf(operator)).filter(({ outcome }) => outcome === 'refused')
    expect(refused.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['changeMemberRole', 'inviteMember', 'removeMember']),
    )
  })

  it('acts for an hour: in its last moment, and not in the one after', async () => {
    const operator = await newOperator()
    const { json } = await begin(operator)
    const { runtime } = api.service
    runtime.forward(Date.parse(String(json['endsAt'])) - runtime.now() - 20_000)
    expect((await ask(operator, 'GET', connection())).status).toBe(200)
    runtime.forward(20_000)
    expect((await ask(operator, 'GET', connection())).status).toBe(403)
    expect((await ask(operator, 'GET', PATH)).json).toEqual(nobody)
    await eventually(async () =>
      expect((await linesOf(operator)).find(({ action }) => action === 'actingRanOut')).toMatchObject({
        initiator: 'nobody',
        outcome: 'done',
      }),
    )
  })

  it('acts in one session alone, and no longer than that', async () => {
    const operator = await newOperator()
    await begin(operator)
    const address = `operator${enrolled}@example.org`
    const signIn = { organisation: null, emailAddress: address, password }
    const first = await api.send('POST', '/v1/sessions', { headers: admin.headers, body: signIn })
    const second = { signIn: first.json['signIn'], code: people.nextCode(operator.seed) }
    const opened = await api.send('POST', '/v1/sessions/second-factor', {
      headers: admin.headers,
      body: second,
    })
    const [cookie = ''] = (opened.headers['Set-Cookie'] ?? '').split(';')
    const elsewhere = { ...operator, headers: { ...operator.headers, cookie } }
    expect((await ask(elsewhere, 'GET', '/v1/session')).status).toBe(200)
    expect((await ask(elsewhere, 'GET', connection())).status).toBe(403)
    expect((await ask(operator, 'GET', connection())).status).toBe(200)
    expect((await ask(operator, 'DELETE', '/v1/session')).status).toBe(200)
    expect((await ask(operator, 'GET', connection())).status).toBe(401)
    await eventually(async () =>
      expect((await linesOf(operator)).map(({ action }) => action)).toContain('endActing'),
    )
  })

  it('may look while the organisation is suspended, which may be why', async () => {
    const operator = await newOperator()
    const switched = (word: string) => ask(operator, 'POST', `/v1/operator/tenants/${theirs.tenant}/${word}`)
    expect((await switched('suspend')).status).toBe(200)
    expect((await begin(operator, { organisation: theirs.tenant })).status).toBe(201)
    expect((await ask(operator, 'GET', `/v1/connections/${theirs.connectionId}`)).status).toBe(200)
    expect((await switched('resume')).status).toBe(200)
  })

  it('acts no longer than the account is there', async () => {
    const [operator, other] = [await newOperator(), await newOperator()]
    await begin(operator)
    expect((await ask(other, 'DELETE', `/v1/operator/operators/${operator.id}`)).status).toBe(200)
    expect((await ask(operator, 'GET', connection())).status).toBe(401)
    await eventually(async () =>
      expect((await linesOf(operator)).map(({ action }) => action)).toContain('endActing'),
    )
  })

  it('needs a fresh code, a reason and an organisation that is there', async () => {
    const operator = await newOperator()
    expect((await begin(operator, { reason: '' })).status).toBe(400)
    expect((await begin(operator, { reason: 'x'.repeat(501) })).status).toBe(400)
    expect((await begin(operator, { reason: 'x'.repeat(500) })).status).toBe(201)
    expect(await begin(operator, { organisation: 'ten_00nobody0000' })).toMatchObject({ status: 404 })
    api.service.runtime.forward(6 * 60_000)
    expect((await begin(operator)).json['error']).toBe('step_up_required')
    expect((await ask(admin, 'POST', PATH, { organisation: mine.tenant, reason: 'x' })).status).toBe(403)
  })

  it('keeps the reason as ciphertext', () => {
    const stored = JSON.stringify([...api.service.journal.events])
    expect(stored).toContain('ActingBegun')
    expect(stored).not.toContain('Lovelace')
  })
})
