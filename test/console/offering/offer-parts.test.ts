import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { OfferLine } from '../../../console/src/offering/offer-lines.ts'
import { KEY_LENGTH, partsOf } from '../../../console/src/offering/offer-parts.ts'

const offerLine = (line: number, name: string): OfferLine => {
  const offer = {
    connectionId: 'con_1',
    credentialDefinitionId: 'def_1',
    attributes: { name, expiresAt: '1900000000' },
  }
  return { line, offer, bytes: Buffer.byteLength(JSON.stringify(offer)) }
}

const bodyOf = (part: readonly OfferLine[]): string =>
  JSON.stringify({ items: part.map(({ offer }) => ({ idempotencyKey: 'k'.repeat(KEY_LENGTH), ...offer })) })

it('a table goes in requests of a thousand offers, in its order', () => {
  const offers = Array.from({ length: 2_001 }, (_, line) => offerLine(line, 'Ada'))
  const parts = [...partsOf(offers)]
  expect(parts.map(({ length }) => length)).toEqual([1_000, 1_000, 1])
  expect(parts.flat()).toEqual(offers)
  expect([...partsOf([])]).toEqual([])
})

it('no request is larger than 2 MiB, and none has room for the offer after it', () => {
  const names = fc.array(fc.nat(60_000), { minLength: 1, maxLength: 120 })
  fc.assert(
    fc.property(names, (lengths) => {
      const offers = lengths.map((length, line) => offerLine(line, 'ü'.repeat(length)))
      const parts = [...partsOf(offers)]
      expect(parts.flat()).toEqual(offers)
      for (const [index, part] of parts.entries()) {
        expect(Buffer.byteLength(bodyOf(part))).toBeLessThanOrEqual(2_097_152)
        const [next] = parts[index + 1] ?? []
        if (next !== undefined) expect(Buffer.byteLength(bodyOf([...part, next]))).toBeGreaterThan(2_097_152)
      }
    }),
    { numRuns: 20 },
  )
})
