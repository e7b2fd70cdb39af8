import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  COUNT_PATTERN,
  READ_TWO_WAYS_PATTERN,
  encodeAttribute,
  isReadTwoWays,
  type Sha256,
} from '../../src/domain/attributes.ts'

const sha256: Sha256 = (text) => createHash('sha256').update(text).digest()
const encode = (raw: string): string => encodeAttribute(raw, sha256)

describe('encoding of attributes', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['5', '5'],
    ['05', '5'],
    ['-05', '-5'],
    ['00000000000000000000000000000012', '12'],
    ['19800101', '19800101'],
    ['2147483647', '2147483647'],
    ['-2147483648', '-2147483648'],
  ])('takes %s as the number %s', (raw, encoded) => {
    expect(encode(raw)).toBe(encoded)
  })

  it.each([
    '2147483648',
    '-2147483649',
    '9'.repeat(4_096),
    '+5',
    '1_000',
    ' 5',
    '5 ',
    '5.0',
    '1e3',
    '0x10',
    '--5',
    '-',
    '٥',
    'Alice',
    '5\n',
    '',
  ])('takes %j as a text', (raw) => {
    expect(encode(raw)).toBe(BigInt(`0x${createHash('sha256').update(raw).digest('hex')}`).toString())
  })

  it('knows which texts wallets read in two ways', () => {
    for (const raw of ['+5', '+0', '+05', '+2147483647']) expect(isReadTwoWays(raw)).toBe(true)
    for (const raw of ['5', '+2147483648', '+4930123456789', '+ 5', '+5.0', '++5', '+', '+-5', '5\n+5'])
      expect(isReadTwoWays(raw)).toBe(false)
  })

  it('has patterns that say the same as its rules, digit by digit', () => {
    const digits = '2147483647'
    const around = Array.from(digits).flatMap((_, at) =>
      ['0', '5', '9'].map((digit) => digits.slice(0, at) + digit + digits.slice(at + 1)),
    )
    const random = Array.from({ length: 2_000 }, () => String(Math.floor(Math.random() * 2 ** 33)))
    const all = ['', '0', '00', '1', '9', '999999999', digits, '2147483648', ...around, ...random]
    for (const flags of ['', 'u'])
      for (const text of [...all, ...all.map((each) => `00${each}`)]) {
        const isCount = /^[1-9]\d*$/.test(text) && Number(text) <= 2_147_483_647
        expect(new RegExp(COUNT_PATTERN, flags).test(text), text).toBe(isCount)
        for (const signed of [text, `+${text}`, `-${text}`, `+ ${text}`])
          expect(new RegExp(READ_TWO_WAYS_PATTERN, flags).test(signed), signed).toBe(isReadTwoWays(signed))
      }
  })

  it('agrees with the values that libraries publish', () => {
    // Test vectors of the Aries RFC 0592 / 0036 encoding.
    expect(encode('101 Wilson Lane')).toBe(
      '68086943237164982734333428280784300550565381723532936263016368251445461241953',
    )
    expect(encode('87121')).toBe('87121')
    expect(encode('SLC')).toBe(
      '101327353979588246869873249766058188995681113722618593621043638294296500696424',
    )
    expect(encode('101 Tela Lane')).toBe(
      '63690509275174663089934667471948380740244018358024875547775652380902762701972',
    )
    expect(encode('UT')).toBe('93856629670657830351991220989031130499313559332549427637940645777813964461231')
    expect(encode('')).toBe('102987336249554097029535212322581322789799900648198034993379397001115665086549')
  })
})
