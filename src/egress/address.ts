import ipaddr from 'ipaddr.js'

/**
 * Whether an address belongs to the public Internet. With any other one (loopback, private, link-local, multicast,
 * documentation, carrier-grade NAT …) a tenant could make the service call the operator's own machines.
 */
export const isGlobal = (address: string): boolean => {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  if (parsed.range() !== 'unicast') return false
  // An address with an IPv4 address inside is judged by that one.
  return parsed.kind() === 'ipv4' || !carriesIpv4(parsed.toNormalizedString())
}

const carriesIpv4 = (ipv6: string): boolean => {
  const address = ipaddr.IPv6.parse(ipv6)
  return EMBEDDING.some((range) => address.match(range))
}

const EMBEDDING = ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16', '2001::/32', '::/96'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
)
