import { describe, expect, it } from 'vitest'
import { clientAddressBehind } from '../../../src/http/server/client-address.ts'

const address = (remoteAddress: string, forwarded?: string, proxies = ['10.0.0.0/8', 'fd00::1']) =>
  clientAddressBehind(proxies)({
    remoteAddress,
    headers: new Map(forwarded === undefined ? [] : [['x-forwarded-for', forwarded]]),
  })

describe('the address of a caller', () => {
  it('is that of the socket when no proxy is known', () => {
    expect(address('192.0.2.1', '198.51.100.1', [])).toBe('192.0.2.1')
    expect(address('192.0.2.1', '198.51.100.1')).toBe('192.0.2.1')
    expect(address('', '198.51.100.1')).toBe('')
  })

  it('is what known proxies say, and nothing that was sent before them', () => {
    expect(address('10.1.1.1', '198.51.100.1')).toBe('198.51.100.1')
    expect(address('10.1.1.1', '203.0.113.9, 198.51.100.1')).toBe('198.51.100.1')
    expect(address('10.1.1.1', '203.0.113.9, 198.51.100.1, 10.2.2.2')).toBe('198.51.100.1')
    expect(address('fd00::1', '2001:db8::7')).toBe('2001:db8::7')
  })

  it('is that of the proxy when it says nothing, or nonsense', () => {
    expect(address('10.1.1.1')).toBe('10.1.1.1')
    expect(address('10.1.1.1', 'unknown')).toBe('10.1.1.1')
    expect(address('10.1.1.1', '198.51.100.1, nonsense')).toBe('10.1.1.1')
  })

  it('is the same in both families', () => {
    expect(address('::ffff:10.1.1.1', '::ffff:198.51.100.1')).toBe('198.51.100.1')
    expect(address('0000:0000:0000:0000:0000:ffff:10.1.1.1', '198.51.100.1')).toBe('198.51.100.1')
  })
})
