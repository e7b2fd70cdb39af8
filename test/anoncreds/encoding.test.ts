import { anoncreds } from '@hyperledger/anoncreds-nodejs'
import { describe, expect, it } from 'vitest'
import { commonView, encodeValue, encodeValues } from '../../src/anoncreds/encoding.ts'

describe('the encoding of values', () => {
  it.each([
    '',
    '0',
    '5',
    '+5',
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

  it('keeps raw and encoded by name', () => {
    expect(encodeValues({ age: '5' })).toEqual({ age: { raw: '5', encoded: '5' } })
  })

  it('ignores case and blanks of names', () => {
    expect(commonView('Given Name ')).toBe('givenname')
  })
})
