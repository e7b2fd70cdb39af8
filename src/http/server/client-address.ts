import { BlockList, isIP } from 'node:net'
import type { RequestHead } from './server.ts'

export type ClientAddress = (head: Pick<RequestHead, 'headers' | 'remoteAddress'>) => string

/**
 * Where a request really comes from. `X-Forwarded-For` counts only as far as known proxies have added to it, because any
 * caller may send the header.
 */
export const clientAddressBehind = (proxies: readonly string[]): ClientAddress => {
  const known = new BlockList()
  for (const each of proxies) {
    const [address = '', prefix] = each.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (prefix === undefined) known.addAddress(address, family)
    else known.addSubnet(address, Number(prefix), family)
  }
  const isKnown = (address: string): boolean =>
    isIP(address) !== 0 && known.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return ({ headers, remoteAddress }) => {
    let address = plain(remoteAddress)
    const hops = (headers.get('x-forwarded-for') ?? '').split(',').map((hop) => plain(hop.trim()))
    while (isKnown(address)) {
      const hop = hops.pop() ?? ''
      if (isIP(hop) === 0) break
      address = hop
    }
    return address
  }
}

/** Sockets for both families show IPv4 callers as IPv6; uWebSockets.js writes every group out. */
const plain = (address: string): string =>
  address.replace(/^(?:::ffff:|(?:0{1,4}:){5}ffff:)(?=\d+\.\d+\.\d+\.\d+$)/i, '')
