import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ApiOnMemory, apiOnMemory } from '../compose/api-on-memory.ts'
import { furnished } from '../compose/service-on-memory.ts'

type Json = Readonly<Record<string, unknown>>

let api: ApiOnMemory
let at: Awaited<ReturnType<typeof furnished>>
let apiKey = ''
beforeAll(async () => {
  api = await apiOnMemory()
  at = await furnished(api.service)
  apiKey = await api.keyOf(at.tenant)
})
afterAll(() => api.close())

const image = (filling: string, last = ''): string => filling.repeat(2_000_000 / filling.length) + last
const offer = (referenceImage: string, more: Json = {}): Json => {
  const expiresAt = String(Math.floor(api.service.runtime.now() / 1_000) + 3_600)
  const { connectionId, definitionId: credentialDefinitionId } = at
  const attributes = { name: 'Ada', expiresAt }
  return { connectionId, credentialDefinitionId, attributes, biometric: { referenceImage }, ...more }
}
const send = (key: string, body: Json | string) =>
  api.send('POST', '/v1/credentials/offer', { as: apiKey, body, headers: { 'idempotency-key': key } })

describe('an offer with a large image, sent again under its key', () => {
  it('is the same request, in whatever order its properties come', async () => {
    const body = offer(image('a'))
    const first = await send('same', body)
    expect(first.status).toBe(202)
    const again = await send('same', Object.fromEntries(Object.entries(body).toReversed()))
    expect([again.status, again.headers['Idempotent-Replayed']]).toEqual([202, 'true'])
    expect(again.json['id']).toBe(first.json['id'])
  })

  it.each([
    ['in its last character', image('b', '1'), image('b', '2')],
    ['in its length', image('c'), image('c', 'c')],
    ['by being short', image('d'), 'd'.repeat(100)],
    ['by being long', 'e'.repeat(100), image('e')],
  ])('is another request when the image differs %s', async (name, one, another) => {
    expect((await send(name, offer(one))).status).toBe(202)
    const reused = await send(name, offer(another))
    expect([reused.status, reused.json['error']]).toEqual([422, 'idempotency_key_reused'])
  })

  it('is another request when anything else differs, or the image is not there', async () => {
    expect((await send('rest', offer(image('f')))).status).toBe(202)
    for (const body of [
      offer(image('f'), { externalId: 'x' }),
      offer('', { biometric: undefined }),
      JSON.stringify(offer(image('f'))).replace(
        /}$/,
        ',"biometric":{"referenceImage":"' + 'f'.repeat(100) + '"}}',
      ),
    ])
      expect((await send('rest', body)).json['error']).toBe('idempotency_key_reused')
  })

  it('leaves nothing of the image, neither in a record nor in an event', async () => {
    const { status, text } = await send('unseen', offer(image('secret-img')))
    expect([status, text.includes('secret-img')]).toEqual([202, false])
    expect(JSON.stringify([...api.service.journal.events])).not.toContain('secret-img')
  })
})
