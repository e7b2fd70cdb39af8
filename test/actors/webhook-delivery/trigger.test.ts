import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import { kinds } from '../../../src/actors/index.ts'
import { publishedEventsOf } from '../../../src/actors/published-events.ts'
import { deliveryBody } from '../../../src/actors/webhook-delivery/body.ts'
import { syntheticEvent, syntheticEventId } from '../../../src/actors/webhook-delivery/trigger.ts'
import { shardOf } from '../../../src/domain/references.ts'
import { webhooks } from '../../../src/http/openapi/webhooks.ts'

const published = publishedEventsOf(kinds)
const TENANT = 'ten_5c0k3m7p9r1t3v5x7z9b1d3f'
const atMs = Date.parse('2031-05-06T07:08:09.123Z')

type Described = {
  readonly post: {
    readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: object } } }
  }
}

const fits = (type: string, body: unknown): string => {
  const described = (webhooks(published) as Readonly<Record<string, Described>>)[type]
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.validate(described?.post.requestBody.content['application/json'].schema ?? false, body)
  return ajv.errorsText()
}

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** What a listener is told; nothing in it is sealed. */
const toldOf = async (type: string, unique: string) => {
  const described = published.find((each) => each.type === type)
  if (described === undefined) throw new Error(`nothing describes ${type}`)
  const event = syntheticEvent(described, { id: syntheticEventId(unique), tenant: TENANT, atMs })
  const nothingSealed = () => {
    throw new Error('nothing is sealed')
  }
  const ports = { vault: { openElsewhere: nothingSealed }, personalData: nothingSealed }
  return JSON.parse(await deliveryBody(ports, TENANT, event)) as {
    readonly id: string
    readonly data: Readonly<Record<string, unknown>>
  }
}

describe.each(published.map(({ type }) => type))('a made-up %s', (type) => {
  it('is what the description says of the type, of now', async () => {
    const told = await toldOf(type, '0123456789abcdefghjkmnpqrs')
    expect(told).toMatchObject({
      id: 'evt_test_0123456789abcdefghjkmnpqrs',
      type,
      createdAt: '2031-05-06T07:08:09.123Z',
      tenantId: TENANT,
      data: { updatedAt: '2031-05-06T07:08:09.123Z', sequence: 1 },
    })
    expect(fits(type, told)).toBe('No errors')
    expect(textsIn(told.data).filter((text) => text.startsWith('2026-'))).toEqual([])
  })

  it('is about records that no other event is about, and that nobody can have', async () => {
    const [one, other] = [await toldOf(type, 'a'.repeat(26)), await toldOf(type, 'b'.repeat(26))]
    const texts = textsIn(one.data)
    expect(texts.filter((text) => shardOf(text) !== null)).toEqual([])
    const ids = texts.filter((text) => /^[a-z]{3}_[0-9a-z]{20,}$/.test(text))
    expect(ids.filter((id) => textsIn(other.data).includes(id))).toEqual([])
    // The trial of an endpoint is about nothing.
    expect(ids.length > 0).toBe(type !== 'webhook.test')
  })
})
