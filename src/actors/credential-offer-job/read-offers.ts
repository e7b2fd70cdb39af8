import { createHash } from 'node:crypto'
import { limits } from '../../domain/limits.ts'
import { shardOf } from '../../domain/references.ts'
import type { ReadBody } from '../../http/route/body-reader.ts'
import { readJson } from '../../http/route/json-body.ts'
import { type Problem, problem } from '../../http/route/problem.ts'
import { compileSchema } from '../../http/route/validation.ts'
import { canonicalJson } from '../idempotency-claim/idempotency.ts'
import { offersBody, type SentItem, type SentOffer, type SentOffers, type SentWave } from './sent-offers.ts'

/** Offered at once, with one commit of their job: enough for few commits, and few enough to leave room for others. */
export const WAVE_ITEMS = 64
/** No store has to take a larger body, but where one item alone is. */
const WAVE_CHARACTERS = 393_216

type WrittenItem = SentOffer & { readonly idempotencyKey: string }

/** Reads the body of a request for many offers; compiles its schema first. */
export const offersRead = (): ((bytes: Uint8Array) => ReadBody | Problem) => {
  const rules = {
    check: compileSchema(offersBody, 'the body'),
    longText: null,
    propertiesMax: limits.offersPropertiesMax,
  }
  return (bytes) => {
    const read = readJson(bytes, rules)
    if ('problem' in read) return read
    const { items } = read.value as { readonly items: readonly WrittenItem[] }
    return sameKeyTwice(items) ?? asWaves(items)
  }
}

const sameKeyTwice = (items: readonly WrittenItem[]): Problem | null => {
  const first = new Map<string, number>()
  for (const [index, { idempotencyKey }] of items.entries()) {
    const before = first.get(idempotencyKey)
    if (before !== undefined) {
      const reason = `items.${index}.idempotencyKey is that of items.${before} too; each item has its own.`
      return problem('invalid_request', reason)
    }
    first.set(idempotencyKey, index)
  }
  return null
}

type Placed = { readonly index: number; readonly shard: number; readonly item: SentItem }

/** Items whose connections share a shard, and so a commit, stand together. */
const asWaves = (items: readonly WrittenItem[]): ReadBody => {
  const hash = createHash('sha256')
  const placed = items.map(({ idempotencyKey, ...offer }, index): Placed => {
    const item = [idempotencyKey, offer.connectionId, canonicalJson(offer)] as const
    hash.update(JSON.stringify(item))
    return { index, shard: shardOf(offer.connectionId) ?? 0, item }
  })
  const waves = wavesOf(placed.toSorted((left, right) => left.shard - right.shard)).map(
    (wave): SentWave => ({
      indexes: wave.map(({ index }) => index),
      items: wave.map(({ item }) => item),
    }),
  )
  const keys = JSON.stringify(items.map(({ idempotencyKey }) => idempotencyKey))
  const value: SentOffers = { total: items.length, keys, waves }
  return { value, meaning: { offers: hash.digest('base64url') } }
}

const wavesOf = (sorted: readonly Placed[]): readonly (readonly Placed[])[] => {
  const waves: Placed[][] = []
  let [wave, characters]: [Placed[], number] = [[], 0]
  for (const each of sorted) {
    const [, , offer] = each.item
    if (wave.length === WAVE_ITEMS || (wave.length > 0 && characters + offer.length > WAVE_CHARACTERS)) {
      waves.push(wave)
      ;[wave, characters] = [[], 0]
    }
    wave.push(each)
    characters += offer.length
  }
  return [...waves, wave]
}
