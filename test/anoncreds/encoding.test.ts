import { anoncreds } from '@hyperledger/anoncreds-nodejs'
import { describe, expect, it } from 'vitest'
import { commonView, encodeValue, encodeValues, isEncodingOf } from '../../src/anoncreds/encoding.ts'

describe('the encoding of values', () => {
  it.each([
    '',
    '0',
    '5',
    '-0',
    '007',
    '-12',
    '2147483647',
    '2147483648',
    '-2147483648',
    '-2147483649',
    ' 5',
    '5.0',
    'Köln',
    '💥',
    '1e3',
  ])('of "%s" is that of the library', (raw) => {
    const [encoded] = anoncreds.encodeCredentialAttributes({
      attributeRawValues: [raw],
    })
    expect(encodeValue(raw)).toBe(encoded)
  })

  it('of "+5" is a hash, as in wallets; what the library of another issuer makes of it counts as well', () => {
    const [byLibrary] = anoncreds.encodeCredentialAttributes({ attributeRawValues: ['+5'] })
    expect(byLibrary).toBe('5')
    expect(encodeValue('+5')).not.toBe('5')
    expect([isEncodingOf('5', '+5'), isEncodingOf(encodeValue('+5'), '+5'), isEncodingOf('6', '+5')]).toEqual(
      [true, true, false],
    )
    expect(isEncodingOf('5', ' 5')).toBe(false)
  })

  it('keeps raw and encoded by name', () => {
    expect(encodeValues({ age: '5' })).toEqual({ age: { raw: '5', encoded: '5' } })
  })

  it('ignores case and blanks of names', () => {
    expect(commonView('Given Name ')).toBe('givenname')
  })
})
