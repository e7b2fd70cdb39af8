import ipaddr from 'ipaddr.js'

/**
 * Whether an address belongs to the public Internet. With any other one (loopback, private, link-local, multicast,
 * documentation, carrier-grade NAT …) a tenant could make the service call the operator's own machines.
 */
export const isGlobal = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  if (!(parsed instanceof ipaddr.IPv6)) return true
  // One that stands for an IPv4 address is a translator's, and what is not given out yet leads nowhere but to a neighbour.
  return parsed.match(GIVEN_OUT) && translatedFrom(parsed.toNormalizedString()) === null
}

/** All of IPv6 that is given out on the public Internet (RFC 4291, 2.4). */
const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Whom an IPv6 address stands for that a translator or a tunnel has made of an IPv4 address: that one; or the address
 * itself where each translator has its own place for it. Null for every other address.
 */
export const translatedFrom = (ipv6: string): string | null => {
  const address = ipaddr.IPv6.parse(ipv6)
  const range = TRANSLATED.find(({ cidr }) => address.match(cidr))
  if (range === undefined || UNTRANSLATED.has(address.toString())) return null
  return range.ipv4Of === null
    ? address.toString()
    : ipaddr.fromByteArray([...range.ipv4Of(address.toByteArray())]).toString()
}

type Ipv4Of = ((bytes: readonly number[]) => readonly number[]) | null

const atItsEnd: Ipv4Of = (bytes) => bytes.slice(12)
const ranges: Readonly<Record<string, Ipv4Of>> = {
  // NAT64 with the prefix that is known everywhere, and with one of the operator's own.
  '64:ff9b::/96': atItsEnd,
  '64:ff9b:1::/48': null,
  // SIIT.
  '::ffff:0:0:0/96': atItsEnd,
  // 6to4, and Teredo, which inverts the address.
  '2002::/16': (bytes) => bytes.slice(2, 6),
  '2001::/32': (bytes) => bytes.slice(12).map((byte) => byte ^ 255),
  // The oldest form, "compatible with IPv4".
  '::/96': atItsEnd,
}
const TRANSLATED = Object.entries(ranges).map(([range, ipv4Of]) => ({
  cidr: ipaddr.IPv6.parseCIDR(range),
  ipv4Of,
}))
/** In the last of these ranges, and no addresses of IPv4. */
const UNTRANSLATED: ReadonlySet<string> = new Set(['::', '::1'])
