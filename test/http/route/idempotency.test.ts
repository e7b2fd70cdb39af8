import { askById } from '../../host/parts/ask-by-id.ts'
import { afterAll, describe, expect, it } from 'vitest'
import { furnishedApi } from '../../compose/furnished-api.ts'

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
  ['/v1/connections/invitations', () => ({ externalId: 'x' })],
  ['/v1/credentials/offer', () => offer()],
  ['/v1/credentials/offers', () => ({ items: [{ idempotencyKey: 'item', ...offer() }] })],
] as const

describe.each(repeatable)('POST %s under an Idempotency-Key', (path, body) => {
  it('is answered again with the same bytes and says so', async () => {
    const used = newKey()
    const first = await post(path, body(), used)
    expect(first.status).toBeLessThan(300)
    expect(first.headers).not.toHaveProperty('Idempotent-Replayed')
    const second = await post(path, body(), used)
    expect([second.status, second.json]).toEqual([first.status, first.json])
    expect(second.headers['Idempotent-Replayed']).toBe('true')
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
      prefix: 'https://didcomm.org/',
      from: at.connectionId,
      code: 'rejected',
      text: 'No.',
    }
    await askById(actors, id, declined, { commandId: 'decline', timeoutMs: 5_000, tenant: at.tenant })
    const now = await api.send('GET', `/v1/credentials/${id}`, { as: key })
    expect(now.json['state']).not.toBe('offer-sent')
    expect((await post('/v1/credentials/offer', offer(), used)).json).toEqual(first.json)
  })
})
