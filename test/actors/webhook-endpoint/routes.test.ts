import { afterAll, describe, expect, it } from 'vitest'
import { furnishedApi } from '../../compose/furnished-api.ts'

const { api, key, admin } = await furnishedApi()
afterAll(() => api.close())

describe('the webhook endpoint', () => {
  const url = 'https://receiver.example/events'
  const read = () => api.send('GET', '/v1/webhook', { as: key })
  const put = (body: object) => api.send('PUT', '/v1/webhook', { body, as: admin })

  it('is nothing but nulls while none is set', async () => {
    const { status, json } = await read()
    expect(status).toBe(200)
    expect(Object.values(json)).toEqual(Array.from({ length: 7 }, () => null))
    expect(await api.send('POST', '/v1/webhook/secret', { as: admin })).toMatchObject({ status: 404 })
  })

  it('shows its secret once: when it is set, and when the secret is rotated', async () => {
    const set = await put({ url })
    expect(set).toMatchObject({ status: 201, json: { url, eventTypes: null } })
    expect(set.json['secret']).toMatch(/^svc_whsec_/)
    const eventTypes = ['proof.state_changed']
    const changed = await put({ url, eventTypes })
    expect(changed).toMatchObject({ status: 200, json: { eventTypes } })
    expect(changed.json).not.toHaveProperty('secret')
    const headers = { 'idempotency-key': 'rotation 1' }
    const rotated = await api.send('POST', '/v1/webhook/secret', { as: admin, headers })
    expect(rotated.json['secret']).toMatch(/^svc_whsec_/)
    expect(rotated.json['previousSecretExpiresAt']).toMatch(/Z$/)
    const again = await api.send('POST', '/v1/webhook/secret', { as: admin, headers })
    expect(again.json).toEqual({ ...rotated.json, secret: null })
    expect(again.headers['Idempotent-Replayed']).toBe('true')
    expect((await read()).json).not.toHaveProperty('secret')
  })

  it('is removed, also twice', async () => {
    await put({ url })
    for (let each = 0; each < 2; each++)
      expect(await api.send('DELETE', '/v1/webhook', { as: admin })).toMatchObject({ json: { url: null } })
    expect((await read()).json['url']).toBeNull()
  })
})
