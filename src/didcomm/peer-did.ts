import { createHash } from 'node:crypto'
import bs58 from 'bs58'
import { decodeLong, encodeLong } from './base58.ts'
import type { WalletService } from '../ports/wallets.ts'
import { type Json, jsonOf } from './json.ts'
import { boxPublicKey, didKeyOf } from './keys.ts'

const JSON_CODEC = Buffer.from([0x80, 0x04])
const SHA256_CODEC = Buffer.from([0x12, 0x20])
const LONG_FORM = /^did:peer:4(z[1-9A-HJ-NP-Za-km-z]{46}):(z[1-9A-HJ-NP-Za-km-z]{6,16000})$/

export const DID_LENGTH_MAX = 20_000

/** Where one side is written to, the place that is preferred first; all of them have the keys of that one. */
export type Services = readonly [WalletService, ...WalletService[]]

/** Our side of a connection as a DID document: keys that sign and, converted, open envelopes; and its services. */
export const documentFor = (...services: Services): Json => {
  const keys = services[0].recipientKeys.map((key, index) => ({
    signing: {
      id: `#key-${2 * index + 1}`,
      type: 'Ed25519VerificationKey2018',
      controller: '#id',
      publicKeyBase58: key,
    },
    agreement: {
      id: `#key-${2 * index + 2}`,
      type: 'X25519KeyAgreementKey2019',
      controller: '#id',
      publicKeyBase58: bs58.encode(boxPublicKey(key)),
    },
  }))
  return {
    '@context': ['https://w3id.org/did/v1'],
    authentication: keys.map((key) => key.signing),
    keyAgreement: keys.map((key) => key.agreement),
    service: services.map(({ endpoint, routingKeys }, priority) => ({
      id: `#inline-${priority}`,
      type: 'did-communication',
      serviceEndpoint: endpoint,
      priority,
      recipientKeys: keys.map((key) => key.signing.id),
      routingKeys: routingKeys.map((key) => `${didKeyOf(key)}#${didKeyOf(key).slice('did:key:'.length)}`),
      accept: ['didcomm/aip2;env=rfc19'],
    })),
  }
}

/** A did:peer:4 in the long form, which contains the document. */
export const longFormDid = (document: Json): string => {
  const encoded = `z${encodeLong(Buffer.concat([JSON_CODEC, Buffer.from(JSON.stringify(withoutControllers(document)))]))}`
  return `did:peer:4${hashOf(encoded)}:${encoded}`
}

/** The document inside a long-form did:peer:4; null for any other text, or when the hash does not match. */
export const documentOfLongForm = (did: string): Json | null => {
  const [, hash, encoded] = LONG_FORM.exec(did) ?? []
  if (hash === undefined || encoded === undefined || hashOf(encoded) !== hash) return null
  const bytes = decodeLong(encoded.slice(1))
  return bytes.subarray(0, 2).equals(JSON_CODEC) ? jsonOf(bytes.subarray(2).toString('utf8')) : null
}

/** A did:peer:1, which is the hash of the genesis document; the document has to be sent along. */
export const genesisDid = (document: Json): string => {
  const hash = createHash('sha256').update(JSON.stringify(document)).digest()
  return `did:peer:1z${bs58.encode(Buffer.concat([SHA256_CODEC, hash]))}`
}

/** The form of the other side's DID, which decides the form of ours; unqualified DIDs count as the oldest. */
export const peerFormOf = (did: string): '1' | '2' | '4' | 'unqualified' | null => {
  const form = /^did:peer:([124])/.exec(did)?.[1]
  if (form === '1' || form === '2' || form === '4') return form
  return did.startsWith('did:') ? null : 'unqualified'
}

const hashOf = (encoded: string): string =>
  `z${bs58.encode(Buffer.concat([SHA256_CODEC, createHash('sha256').update(encoded).digest()]))}`

const withoutControllers = (document: Json): Json =>
  Object.fromEntries(
    Object.entries(document).map(([name, value]) => [
      name,
      Array.isArray(value)
        ? value.map((item: unknown) => {
            if (typeof item !== 'object' || item === null || !('controller' in item)) return item
            const { controller: _, ...rest } = item
            return rest
          })
        : value,
    ]),
  )
