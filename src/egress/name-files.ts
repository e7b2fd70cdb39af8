import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'

export type NameFiles = {
  readonly hostsFile: string
  /** Its search domains are read here, its name servers by the resolver. */
  readonly resolverFile: string
}

export const systemFiles: NameFiles = { hostsFile: '/etc/hosts', resolverFile: '/etc/resolv.conf' }

/** As resolv.conf(5) has it. */
const DOMAINS_MAX = 6
const DOTS_DEFAULT = 1

/** What the hosts file says, IPv4 first as the resolver has it; without it, localhost is this machine all the same. */
export const localAddressesOf = (name: string, { hostsFile }: NameFiles): readonly string[] => {
  const host = name.replace(/\.$/, '')
  const found = linesOf(hostsFile).flatMap(([address = '', ...names]) =>
    isIP(address) !== 0 && names.some((each) => each.toLowerCase() === host) ? [address] : [],
  )
  if (found.length > 0) return found.toSorted((left, right) => isIP(left) - isIP(right))
  return host === 'localhost' || host.endsWith('.localhost') ? ['127.0.0.1', '::1'] : []
}

/** The names that one stands for, in their order, by the search domains and `ndots`. */
export const searchedNames = (name: string, { resolverFile }: NameFiles): readonly string[] => {
  if (name.endsWith('.')) return [name]
  let domains: readonly string[] = []
  let dotsMin = DOTS_DEFAULT
  for (const [word, ...rest] of linesOf(resolverFile)) {
    if (word === 'search' || word === 'domain') domains = rest.slice(0, DOMAINS_MAX)
    if (word !== 'options') continue
    for (const option of rest) dotsMin = Number(/^ndots:(\d+)$/.exec(option)?.[1] ?? dotsMin)
  }
  const below = domains.map((domain) => `${name}.${domain.replace(/\.$/, '')}`)
  return name.split('.').length - 1 >= dotsMin ? [name, ...below] : [...below, name]
}

const linesOf = (file: string): readonly (readonly string[])[] =>
  textOf(file)
    .split('\n')
    .map((line) =>
      line
        .replace(/[#;].*/, '')
        .trim()
        .split(/\s+/),
    )

/** A machine may do without these files. */
const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
