import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { base64Of, base64UrlOf, fromBase64, hexOf, joined } from '../../sdk/core/bytes.ts'

const bytes = fc.uint8Array({ maxLength: 100 })

describe('texts of bytes', () => {
  it('are those that Node makes, and are read back from either alphabet, padded or not', () => {
    fc.assert(
      fc.property(bytes, (each) => {
        expect(base64Of(each)).toBe(Buffer.from(each).toString('base64'))
        expect(base64UrlOf(each)).toBe(Buffer.from(each).toString('base64url'))
        expect(hexOf(each)).toBe(Buffer.from(each).toString('hex'))
        expect(fromBase64(base64Of(each))).toEqual(each)
        expect(fromBase64(base64UrlOf(each))).toEqual(each)
      }),
    )
  })

  it.each(['a', 'a*bc', 'äbcd', 'ab cd'])('are not made of %s', (text) => expect(fromBase64(text)).toBeNull())

  it('are joined in their order', () => {
    expect(joined(Uint8Array.of(1), new Uint8Array(), Uint8Array.of(2, 3))).toEqual(Uint8Array.of(1, 2, 3))
  })
})
