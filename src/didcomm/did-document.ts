import type { WalletService } from '../ports/wallets.ts'
import { isSocket } from '../egress/target.ts'
import { isJson, type Json, listOf } from './json.ts'
import { boxPublicKey, ed25519KeyOf } from './keys.ts'

const SERVICES_READ_MAX = 16
const RECIPIENT_KEYS_MAX = 8
/** Each mediator on the way makes a message a third longer, and the sender of the document chooses where it goes. */
const ROUTING_KEYS_MAX = 2
const METHODS_READ_MAX = 64
const ENDPOINT_LENGTH_MAX = 2_048
const HOST_LENGTH_MAX = 253
const SCHEMES = ['http:', 'https:', 'ws:', 'wss:']
/** A wallet without an address, which takes messages on the way of its own alone. */
const QUEUE = 'didcomm:transport/queue'
const SERVICE_TYPES: readonly unknown[] = ['did-communication', 'IndyAgent', 'DIDComm', 'DIDCommMessaging']

/**
 * The first DIDComm v1 service of a document whose keys can all be resolved inside the document; null when there is
 * none. One that takes a POST goes before one that takes a WebSocket alone, which nothing acknowledges as surely.
 */
export const didCommServiceOf = (document: unknown): WalletService | null => {
  const reachable = servicesOf(document).flatMap(({ service, keys }) => {
    const endpoint = endpointOf(service['serviceEndpoint'])
    return endpoint === null || keys === null ? [] : [{ endpoint, ...keys }]
  })
  return reachable.find(({ endpoint }) => !isSocket(endpoint)) ?? reachable[0] ?? null
}

/** Why nothing can be sent to the subject of a document that has no such service, in words for its wallet. */
export const whyUnreachable = (document: unknown): string => {
  const services = servicesOf(document)
  if (services.length === 0) return 'Its DID names no service for messages of DIDComm v1.'
  const isQueued = services.some(({ service }) => addressOf(service['serviceEndpoint'])?.startsWith(QUEUE))
  return isQueued
    ? 'This wallet has no address to write to (didcomm:transport/queue); it needs a mediator.'
    : 'The service of its DID has no address, or no key, that messages can be sent to.'
}

type Keys = Pick<WalletService, 'recipientKeys' | 'routingKeys'>

/** Those of DIDComm, in the order of their priority; keys are null where they cannot be had. */
const servicesOf = (document: unknown): readonly { readonly service: Json; readonly keys: Keys | null }[] => {
  if (!isJson(document)) return []
  const candidates = listOf(document['service']).slice(0, SERVICES_READ_MAX).filter(isJson)
  return candidates
    .toSorted((left, right) => priority(left) - priority(right))
    .filter((service) => SERVICE_TYPES.includes(service['type']))
    .map((service) => {
      const recipientKeys = keysOf(service['recipientKeys'], document, RECIPIENT_KEYS_MAX)
      const routingKeys = keysOf(service['routingKeys'] ?? [], document, ROUTING_KEYS_MAX)
      return { service, keys: recipientKeys?.length && routingKeys ? { recipientKeys, routingKeys } : null }
    })
}

/** The Ed25519 keys that may sign for the subject of the document. */
export const signingKeysOf = (document: unknown): readonly string[] => {
  if (!isJson(document)) return []
  const methods = [
    ...listOf(document['authentication']).slice(0, METHODS_READ_MAX),
    ...listOf(document['verificationMethod']).slice(0, METHODS_READ_MAX),
    ...listOf(document['publicKey']).slice(0, METHODS_READ_MAX),
  ]
  return methods.flatMap((method) => {
    const key = isJson(method) ? methodKey(method) : null
    return key === null ? [] : [key]
  })
}

const priority = (service: Json): number =>
  typeof service['priority'] === 'number' ? service['priority'] : 0

/** Null for an endpoint that no envelope can be sent to. */
const endpointOf = (value: unknown): string | null => {
  const text = addressOf(value)
  if (text === null || text.length > ENDPOINT_LENGTH_MAX) return null
  const { protocol, hostname } = URL.parse(text) ?? { protocol: '', hostname: '' }
  return SCHEMES.includes(protocol) && hostname.length <= HOST_LENGTH_MAX ? text : null
}

/** An address stands by itself, in an object, or in a list of such objects. */
const addressOf = (value: unknown): string | null => {
  const [first] = Array.isArray(value) ? listOf(value) : [value]
  const text = isJson(first) ? first['uri'] : first
  return typeof text === 'string' ? text : null
}

/** Null when a key is named that the document does not contain, or that no envelope can be made for, or too many are. */
const keysOf = (value: unknown, document: Json, most: number): string[] | null => {
  const references = listOf(value)
  if (references.length > most) return null
  const keys = references.map((reference) =>
    typeof reference === 'string' ? resolveKey(reference, document) : null,
  )
  return keys.every((key): key is string => key !== null && opensEnvelopes(key)) ? keys : null
}

const opensEnvelopes = (key: string): boolean => {
  try {
    return boxPublicKey(key).length > 0
  } catch {
    return false
  }
}

const resolveKey = (reference: string, document: Json): string | null => {
  const plain = ed25519KeyOf(reference)
  if (plain !== null) return plain
  const fragment = reference.slice(reference.indexOf('#'))
  const methods = ['verificationMethod', 'authentication', 'publicKey', 'keyAgreement'].flatMap((name) =>
    listOf(document[name]).slice(0, METHODS_READ_MAX),
  )
  for (const method of methods) {
    if (!isJson(method) || typeof method['id'] !== 'string') continue
    if (method['id'] === reference || (fragment.startsWith('#') && method['id'].endsWith(fragment))) {
      const key = methodKey(method)
      if (key !== null) return key
    }
  }
  return null
}

const methodKey = (method: Json): string | null => {
  const type = method['type'] ?? ''
  if (typeof type !== 'string' || type.startsWith('X25519')) return null
  if (typeof method['publicKeyBase58'] === 'string') return ed25519KeyOf(method['publicKeyBase58'])
  if (typeof method['publicKeyMultibase'] === 'string') return ed25519KeyOf(method['publicKeyMultibase'])
  return null
}
