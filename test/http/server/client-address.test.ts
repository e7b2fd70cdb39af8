import { networkInterfaces } from 'node:os'
import { describe, expect, it } from 'vitest'
import { clientAddressBehind } from '../../../src/http/server/client-address.ts'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import type { RequestHead, StartServer } from '../../../src/http/server/server.ts'
import { startUwsServer } from '../../../src/http/server/uws-server.ts'
import { oneAnswer } from './one-answer.ts'

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
    expect(address('0000:0000:0000:0000:0000:ffff:0a01:0101', '198.51.100.1')).toBe('198.51.100.1')
    expect(address('10.1.1.1', '198.51.100.1', ['::ffff:10.0.0.0/104'])).toBe('198.51.100.1')
  })

  it('is the same in whatever spelling a proxy writes it', () => {
    for (const hop of ['2001:DB8::7', '2001:db8:0:0:0:0:0:7', '[2001:db8::7]:4711', '[2001:db8::7]'])
      expect(address('10.1.1.1', hop)).toBe('2001:db8::7')
    for (const hop of ['198.51.100.1:4711', '::ffff:c633:6401', '[::FFFF:198.51.100.1]:1'])
      expect(address('10.1.1.1', hop)).toBe('198.51.100.1')
  })
})

/** As this very server sees the caller. */
const seenBy = async (start: StartServer, host: string, target: string): Promise<string> => {
  const clientAddress = clientAddressBehind([])
  const reply = (head: RequestHead) => ({ status: 200, headers: {}, body: clientAddress(head) })
  return (await oneAnswer(start, { host, target }, reply)).text
}

const own = Object.entries(networkInterfaces()).flatMap(([name, ways = []]) =>
  ways.map(({ address: shown, family }) => ({ name, shown, isIPv6: family === 'IPv6' })),
)
const linkLocal = own.filter(({ shown }) => shown.startsWith('fe80:'))

/** Where a server listens, where it is called, and who has called it; IPv6 as far as this machine has it. */
const calls: readonly (readonly [host: string, target: string, seen: string])[] = [
  ['127.0.0.1', '127.0.0.1', '127.0.0.1'],
  ...(own.some(({ isIPv6 }) => isIPv6)
    ? ([
        ['::', '127.0.0.1', '127.0.0.1'],
        ['::', '127.0.0.2', '127.0.0.1'],
        ['::', '::ffff:127.0.0.1', '127.0.0.1'],
        ['::', '::1', '::1'],
        ...linkLocal.map(({ name, shown }) => ['::', `${shown}%${name}`, shown] as const),
      ] as const)
    : []),
]

describe.each([
  ['uws', startUwsServer],
  ['node', startNodeServer],
] as const)('the address of a caller on a real socket of %s', (_name, start) => {
  it.each(calls)('that listens on %s and is called at %s is %s', async (host, target, seen) => {
    expect(await seenBy(start, host, target)).toBe(seen)
  })
})
