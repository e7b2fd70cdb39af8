import type { WalletService } from '../ports/wallets.ts'
import { isJson, type Json, listOf } from './json.ts'
import { didKeyOf, multibaseAgreementKey, multibaseKey } from './keys.ts'

/** Its keys and services stand in it one after the other, each behind a letter that says what it is for. */
const PREFIX = 'did:peer:2'
const ENTRY = /^([AEVID])(z[1-9A-HJ-NP-Za-km-z]{5,200})$|^S([0-9A-Za-z_=-]{1,8192})$/
const ENTRIES_MAX = 32
const RELATIONS: Readonly<Record<string, string>> = {
  A: 'assertionMethod',
  E: 'keyAgreement',
  V: 'authentication',
  I: 'capabilityInvocation',
  D: 'capabilityDelegation',
}

const LONG_NAMES: Readonly<Record<string, string>> = {
  t: 'type',
  s: 'serviceEndpoint',
  r: 'routingKeys',
  a: 'accept',
}
const LONG_TYPES: Readonly<Record<string, string>> = { dm: 'DIDCommMessaging' }

/** The document that a did:peer:2 stands for; null for a text that is none. */
export const documentOfPeer2 = (did: string): Json | null => {
  if (!did.startsWith(`${PREFIX}.`)) return null
  const entries = did.slice(PREFIX.length + 1).split('.')
  if (entries.length > ENTRIES_MAX) return null
  const relations: Record<string, unknown[]> = {}
  const verificationMethod: Json[] = []
  const service: Json[] = []
  for (const entry of entries) {
    const [whole, purpose = '', key, encoded] = ENTRY.exec(entry) ?? []
    if (whole === undefined) return null
    if (key !== undefined) {
      const id = `#key-${verificationMethod.length / 2 + 1}`
      const method = { type: 'Multikey', controller: did, publicKeyMultibase: key }
      // Older agents refer to a key by itself, newer ones by its place.
      verificationMethod.push({ ...method, id }, { ...method, id: `#${key.slice(1)}` })
      const relation = RELATIONS[purpose] ?? ''
      relations[relation] = [...(relations[relation] ?? []), { ...method, id }]
    } else {
      const read = servicesOf(encoded ?? '')
      if (read === null) return null
      service.push(...read)
    }
  }
  return verificationMethod.length === 0 ? null : { id: did, verificationMethod, ...relations, service }
}

/** One service, or several in a list; null for what is neither. */
const servicesOf = (encoded: string): readonly Json[] | null => {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
  } catch {
    return null
  }
  const services = Array.isArray(value) ? listOf(value) : [value]
  if (services.length > ENTRIES_MAX || !services.every(isJson)) return null
  return services.map((each) => {
    const long = expanded(each)
    const { type, serviceEndpoint } = long
    // Newer ones name the routing keys beside the address.
    const inner = isJson(serviceEndpoint) ? expanded(serviceEndpoint) : {}
    const named = inner['routingKeys'] === undefined ? {} : { routingKeys: inner['routingKeys'] }
    return { ...named, ...long, type: typeof type === 'string' ? (LONG_TYPES[type] ?? type) : type }
  })
}

const expanded = (short: Json): Json =>
  Object.fromEntries(Object.entries(short).map(([name, value]) => [LONG_NAMES[name] ?? name, value]))

/**
 * Our side of a connection in this form: the keys that sign, the same keys as ones that open envelopes, and the services,
 * which all have the keys of the first.
 */
export const peer2Did = (first: WalletService, ...others: readonly WalletService[]): string => {
  const { recipientKeys } = first
  const keys = recipientKeys.map((key) => `.V${multibaseKey(key)}.E${multibaseAgreementKey(key)}`)
  // Each key stands there twice.
  const named = recipientKeys.map((_, index) => `#key-${2 * index + 1}`)
  const services = [first, ...others].map(
    (service, priority) => `.S${shortService(service, named, priority)}`,
  )
  return `${PREFIX}${keys.join('')}${services.join('')}`
}

const shortService = (
  { endpoint, routingKeys }: WalletService,
  recipientKeys: readonly string[],
  priority: number,
): string => {
  const service = {
    t: 'did-communication',
    priority,
    recipientKeys,
    r: routingKeys.map((key) => `${didKeyOf(key)}#${didKeyOf(key).slice('did:key:'.length)}`),
    s: endpoint,
    a: ['didcomm/aip2;env=rfc19'],
  }
  return Buffer.from(JSON.stringify(service)).toString('base64url')
}
