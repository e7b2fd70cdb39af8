import { afterAll, describe, expect, it } from 'vitest'
import { administrator } from '../../compose/api-on-memory.ts'
import { furnishedApi } from '../../compose/furnished-api.ts'
import { furnished } from '../../compose/service-on-memory.ts'

const { api, at, key } = await furnishedApi()
afterAll(() => api.close())

let keys = 0
const newKey = (): string => `key ${++keys}`
const post = (path: string, body: unknown, idempotencyKey: string, as: string = key) =>
  api.send('POST', path, { body, as, headers: { 'idempotency-key': idempotencyKey } })
const offer = (more: object = {}) => ({
  connectionId: at.connectionId,
  credentialDefinitionId: at.definitionId,
  attributes: { name: 'Ada', expiresAt: '2000000000' },
  ...more,
})

const repeatable = [
  ['/v1/connections/invitations', () => ({ externalId: 'x' }), () => ({ externalId: 'y' })],
  ['/v1/credentials/offer', () => offer(), () => offer({ externalId: 'y' })],
] as const

describe.each(repeatable)('POST %s under an Idempotency-Key', (path, body, otherBody) => {
  it('is answered again with the same bytes and says so', async () => {
    const used = newKey()
    const first = await post(path, body(), used)
    expect(first.status).toBeLessThan(300)
    expect(first.headers).not.toHaveProperty('Idempotent-Replayed')
    const second = await post(path, body(), used)
    expect([second.status, second.json]).toEqual([first.status, first.json])
    expect(second.headers['Idempotent-Replayed']).toBe('true')
  })

  it('is refused with another body', async () => {
    const used = newKey()
    await post(path, body(), used)
    expect(await post(path, otherBody(), used)).toMatchObject({
      status: 422,
      json: { error: 'idempotency_key_reused' },
    })
  })

  it('makes a record of its own under another key, and without one', async () => {
    const made = [
      await post(path, body(), newKey()),
      await post(path, body(), newKey()),
      await api.send('POST', path, { body: body(), as: key }),
      await api.send('POST', path, { body: body(), as: key }),
    ]
    expect(new Set(made.map(({ json }) => json['id'] ?? json['invitationId'])).size).toBe(4)
  })

  it.each(['', 'x'.repeat(256), 'ä', 'a\tb'])('does not take %j for a key', async (wrong) => {
    const answer = await post(path, body(), wrong)
    expect(answer.status).toBe(400)
    expect(answer.json['reason']).toContain('Idempotency-Key')
  })

  it('takes a key of 255 characters', async () => {
    expect((await post(path, body(), `${newKey()} `.padEnd(255, '~'))).status).toBeLessThan(300)
  })

  it('runs once, however many come at once; the others get the replay or are asked to wait', async () => {
    const used = newKey()
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(path, body(), used)))
    const made = answers.filter(({ status }) => status < 300)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    expect(made.filter(({ headers }) => headers['Idempotent-Replayed'] === undefined)).toHaveLength(1)
    for (const { status, json, headers } of answers.filter((each) => each.status >= 300))
      expect([status, json['error'], headers['Retry-After']]).toEqual([409, 'idempotency_in_progress', '1'])
  })
})

describe('an Idempotency-Key', () => {
  it('is its organisation’s own', async () => {
    const other = await furnished(api.service, 'bbbbbbbbbb')
    const otherKey = await api.keyOf(other.tenant)
    const used = newKey()
    const path = '/v1/connections/invitations'
    const first = await post(path, {}, used)
    const second = await post(path, { alias: 'another body' }, used, otherKey)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.json['invitationId']).not.toBe(first.json['invitationId'])
  })

  it('may be used again after a refusal', async () => {
    const used = newKey()
    const refused = await post('/v1/credentials/offer', offer({ attributes: { name: 'Ada' } }), used)
    expect([refused.status, refused.json['error']]).toEqual([422, 'expires_at_required'])
    expect((await post('/v1/credentials/offer', offer(), used)).status).toBe(202)
  })

  it('answers as first, also when the record has gone on', async () => {
    const used = newKey()
    const first = await post('/v1/credentials/offer', offer(), used)
    const id = String(first.json['id'])
    const { actors, runtime } = api.service
    const declined = {
      type: 'ReceiveCredentialProblem',
      atMs: runtime.now(),
      from: at.connectionId,
      code: 'rejected',
      text: 'No.',
    }
    await actors.ask(id, declined, { commandId: 'decline', timeoutMs: 5_000, tenant: at.tenant })
    const now = await api.send('GET', `/v1/credentials/${id}`, { as: key })
    expect(now.json['state']).not.toBe('offer-sent')
    expect((await post('/v1/credentials/offer', offer(), used)).json).toEqual(first.json)
  })

  it('is nothing to a viewer, who may not change anything', async () => {
    const viewer = { ...administrator(at.tenant), role: 'viewer' } as const
    expect(
      await api.send('POST', '/v1/connections/invitations', { body: {}, as: viewer as never }),
    ).toMatchObject({ status: 403 })
  })
})
