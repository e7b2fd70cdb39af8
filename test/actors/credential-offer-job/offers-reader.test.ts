import { describe, expect, it } from 'vitest'
import { OffersReader } from '../../../src/actors/credential-offer-job/offers-reader.ts'
import { offersRead, WAVE_ITEMS } from '../../../src/actors/credential-offer-job/read-offers.ts'
import type { SentOffers } from '../../../src/actors/credential-offer-job/sent-offers.ts'
import { canonicalJson } from '../../../src/actors/idempotency-claim/idempotency.ts'
import { shardOf } from '../../../src/domain/references.ts'

const read = offersRead()
const item = (index: number, more: object = {}) => ({
  idempotencyKey: `order-${index}`,
  connectionId: `con_${(index % 256).toString(16).padStart(2, '0')}aaaaaaaa`,
  credentialDefinitionId: 'def_00aaaaaaaaaa',
  attributes: { name: `Ada ${index} `.padEnd(200, 'x'), expiresAt: '2000000000' },
  ...more,
})
const bytesOf = (body: unknown) => Buffer.from(JSON.stringify(body))
const offersIn = (body: unknown): SentOffers => {
  const found = read(bytesOf(body))
  if ('problem' in found) throw new Error(found.reason)
  return found.value as SentOffers
}

describe('a request for many offers', () => {
  it('is read as waves of items whose connections share shards, each as it would be by itself', () => {
    const items = Array.from({ length: 1_000 }, (_, index) => item(index))
    const { total, keys, waves } = offersIn({ items })
    expect(total).toBe(1_000)
    expect(JSON.parse(keys)).toEqual(items.map(({ idempotencyKey }) => idempotencyKey))
    expect(waves.flatMap(({ indexes }) => indexes).toSorted((left, right) => left - right)).toEqual(
      items.map((_, index) => index),
    )
    const shards = waves.map(
      ({ indexes }) => new Set(indexes.map((index) => shardOf(items[index]?.connectionId ?? ''))),
    )
    for (const each of shards) expect(each.size).toBeLessThanOrEqual(35)
    for (const { indexes, items: sent } of waves) {
      expect(indexes.length).toBeLessThanOrEqual(WAVE_ITEMS)
      for (const [at, each] of sent.entries()) {
        const { idempotencyKey, ...offer } = items[indexes[at] ?? -1] ?? item(0)
        expect(each).toEqual([idempotencyKey, offer.connectionId, canonicalJson(offer)])
      }
    }
  })

  it('has waves that are no larger than half a megabyte, whatever its items say', () => {
    const attributes = { name: 'x'.repeat(40_000), expiresAt: '2000000000' }
    const { waves } = offersIn({
      items: Array.from({ length: 50 }, (_, index) => item(index, { attributes })),
    })
    expect(waves.length).toBeGreaterThan(3)
    for (const { items } of waves) expect(JSON.stringify(items).length).toBeLessThan(450_000)
  })

  it('means the same in whatever order its properties stand, and another with another item', () => {
    const meaning = (body: unknown) => {
      const found = read(bytesOf(body))
      return 'problem' in found ? found.reason : found.meaning
    }
    const { idempotencyKey, connectionId, ...rest } = item(1)
    const one = meaning({ items: [item(1), item(2)] })
    expect(meaning({ items: [{ ...rest, connectionId, idempotencyKey }, item(2)] })).toEqual(one)
    expect(meaning({ items: [item(2), item(1)] })).not.toEqual(one)
    expect(meaning({ items: [item(1), item(2, { externalId: 'x' })] })).not.toEqual(one)
  })

  it('is read in a thread where it is large, to the same end', async () => {
    const reader = new OffersReader()
    const bodies = [
      { items: Array.from({ length: 200 }, (_, index) => item(index)) },
      { items: Array.from({ length: 200 }, (_, index) => item(index % 199)) },
      { items: [item(1, { attributes: { name: 'x'.repeat(20_000), expiresAt: 5 } })] },
      { items: Array.from({ length: 1_001 }, (_, index) => item(index)) },
    ]
    const found = await Promise.all(bodies.map(async (body) => reader.read(bytesOf(body))))
    expect(found).toEqual(bodies.map((body) => read(bytesOf(body))))
    expect(found.map((each) => ('problem' in each ? each.problem : null))).toEqual([
      null,
      'invalid_request',
      'invalid_request',
      'invalid_request',
    ])
    const broken = Buffer.from(`{"items":[${' '.repeat(20_000)}`)
    expect(await reader.read(broken)).toMatchObject({ problem: 'invalid_request' })
  })

  it('may have as many attributes as its items may', () => {
    const wide = Object.fromEntries(Array.from({ length: 125 }, (_, index) => [`n${index}`, 'x']))
    const items = Array.from({ length: 1_000 }, (_, index) => item(index, { attributes: wide }))
    expect(bytesOf({ items }).byteLength).toBeLessThan(2_097_152)
    expect(offersIn({ items }).total).toBe(1_000)
  })
})
