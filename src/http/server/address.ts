import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { translatedFrom } from '../../egress/address.ts'

/**
 * The one form of a network address in whatever spelling it comes: IPv4 in decimal, also where a socket for both
 * families shows it as IPv6; IPv6 in lower case, compressed, without its zone. Null for what is no address.
 */
export const plainAddress = (text: string): string | null => {
  // The library also takes 127.1 and 0x7f.1, which other programs read in other ways.
  if (isIP(text) === 0) return null
  const address = ipaddr.parse(inGroups(text.replace(/%.*$/, '')))
  return (isMapped(address) ? address.toIPv4Address() : address).toString()
}

/** What one subscriber has to come from, what a household often has, and what anybody gets for nothing. */
const NETWORK_BITS = [64, 56, 48] as const

/**
 * What counts as one place: an address of IPv4, also where a translator has made IPv6 of it, because it puts all of them
 * into one /64; and of IPv6 the whole /64 that every subscriber has to come from.
 */
export const networkOf = (text: string): string => networksOf(text)[0]

/** The same and, of IPv6, the wider networks that a single person may have: the narrowest first. */
export const networksOf = (text: string): readonly [string, ...string[]] => {
  const address = plainAddress(text)
  if (address === null || isIP(address) === 4) return [address ?? text]
  const ipv4 = translatedFrom(address)
  if (ipv4 !== null) return [ipv4]
  const [narrowest, ...wider] = NETWORK_BITS
  const network = (bits: number) =>
    `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`).toString()}/${bits}`
  return [network(narrowest), ...wider.map(network)]
}

/** The first address of a range and how many of its bits count, in that same form; a single address has no `bits`. */
export const plainRange = (text: string): { readonly address: string; readonly bits: number | null } => {
  const [first = '', prefix] = text.split('/')
  const address = plainAddress(first) ?? first
  if (prefix === undefined) return { address, bits: null }
  const isOfMapped = isIP(first) === 6 && isIP(address) === 4
  return { address, bits: isOfMapped ? Math.max(0, Number(prefix) - MAPPED_BITS) : Number(prefix) }
}

const MAPPED_BITS = 96

const isMapped = (address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 =>
  address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress()

/** The library reads any decimal tail of an IPv6 address as if it were mapped. */
const inGroups = (text: string): string =>
  !text.includes(':')
    ? text
    : text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes: string[]) => {
        const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number)
        return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
      })
