import { BlockList, isIP } from 'node:net'
import { plainAddress, plainRange } from './address.ts'
import type { RequestHead } from './server.ts'

export type ClientAddress = (head: Pick<RequestHead, 'headers' | 'remoteAddress'>) => string

/**
 * Where a request really comes from, in one form whatever server, socket or proxy has written it. `X-Forwarded-For`
 * counts only as far as known proxies have added to it, because any caller may send the header.
 */
export const clientAddressBehind = (proxies: readonly string[]): ClientAddress => {
  const known = new BlockList()
  for (const each of proxies) {
    const { address, bits } = plainRange(each)
    if (bits === null) known.addAddress(address, familyOf(address))
    else known.addSubnet(address, bits, familyOf(address))
  }
  const isKnown = (address: string): boolean => isIP(address) !== 0 && known.check(address, familyOf(address))
  return ({ headers, remoteAddress }) => {
    let address = plainAddress(remoteAddress) ?? remoteAddress
    const hops = (headers.get('x-forwarded-for') ?? '').split(',')
    while (isKnown(address)) {
      const hop = plainAddress(withoutPort(hops.pop() ?? ''))
      if (hop === null) break
      address = hop
    }
    return address
  }
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Some proxies add the port: 192.0.2.1:4711, [2001:db8::1]:4711. */
const withoutPort = (hop: string): string =>
  /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)\s*$/
    .exec(hop)
    ?.slice(1)
    .find((part) => part !== undefined) ?? hop.trim()
