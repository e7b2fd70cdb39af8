import { describe, expect, it } from 'vitest'
import { networkOf, networksOf, plainAddress, plainRange } from '../../../src/http/server/address.ts'

describe('the one form of an address', () => {
  it.each([
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '::FFFF:203.0.113.7',
    '::ffff:cb00:7107',
    '0:0:0:0:0:FFFF:CB00:7107',
    '0000:0000:0000:0000:0000:ffff:cb00:7107',
    '0000:0000:0000:0000:0000:ffff:203.0.113.7',
  ])('of IPv4 is decimal: %s', (text) => {
    expect(plainAddress(text)).toBe('203.0.113.7')
    expect(networkOf(text)).toBe('203.0.113.7')
  })

  it.each([
    '2001:db8::7:8',
    '2001:DB8:0:0::7:8',
    '2001:0db8:0000:0000:0000:0000:0007:0008',
    '2001:db8::7:8%eth0',
    '2001:db8::0.7.0.8',
  ])('of IPv6 is short and lower-case, without a zone: %s', (text) => {
    expect(plainAddress(text)).toBe('2001:db8::7:8')
    expect(networkOf(text)).toBe('2001:db8::/64')
  })

  it('belongs to a /64, a /56 and a /48 of IPv6, and to itself of IPv4', () => {
    expect(networksOf('2001:db8:1:2345::7')).toEqual([
      '2001:db8:1:2345::/64',
      '2001:db8:1:2300::/56',
      '2001:db8:1::/48',
    ])
    expect(networksOf('::ffff:203.0.113.7')).toEqual(['203.0.113.7'])
  })

  it.each([
    '64:ff9b::c000:201',
    '64:ff9b::192.0.2.1',
    '::192.0.2.1',
    '::ffff:0:192.0.2.1',
    '2002:c000:201::1',
  ])('is one place with the IPv4 address that was made IPv6 of: %s', (text) => {
    expect(networkOf(text)).toBe('192.0.2.1')
    expect(plainAddress(text)).not.toBe('192.0.2.1')
  })

  it('is a place of its own behind a translator of the operator', () => {
    expect(networksOf('64:ff9b:1:7::c000:201')).toEqual(['64:ff9b:1:7::c000:201'])
    expect(networksOf('::1')).toEqual(['::/64', '::/56', '::/48'])
  })

  it('does not take the last numbers of IPv6 for an address of IPv4', () => {
    expect(plainAddress('::203.0.113.7')).toBe(plainAddress('::cb00:7107'))
    expect(plainAddress('::203.0.113.7')).not.toBe('203.0.113.7')
  })

  it.each(['', 'unknown', '127.1', '0x7f.0.0.1', '1.2.3.4.5', '::1::', 'fe80::1%'])(
    'is not there for %j',
    (text) => {
      expect(plainAddress(text)).toBeNull()
      expect(networkOf(text)).toBe(text)
    },
  )

  it('of a range that is written for both families is that of IPv4', () => {
    expect(plainRange('::ffff:10.0.0.0/104')).toEqual({ address: '10.0.0.0', bits: 8 })
    expect(plainRange('FD00::1')).toEqual({ address: 'fd00::1', bits: null })
    expect(plainRange('fd00::/8')).toEqual({ address: 'fd00::', bits: 8 })
  })
})
