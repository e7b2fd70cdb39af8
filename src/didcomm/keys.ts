import { hash, randomBytes } from 'node:crypto'
import bs58 from 'bs58'
import { LRUCache } from 'lru-cache'
import sodium from 'sodium-native'

/** An Ed25519 key pair. The same key signs and, converted to Curve25519, opens envelopes. */
export type KeyPair = { readonly publicKeyBase58: string; readonly secretKey: Buffer }

const ED25519_CODEC = Buffer.from([0xed, 0x01])
const X25519_CODEC = Buffer.from([0xec, 0x01])

export const createKeyPair = (): KeyPair => {
  const publicKey = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES)
  const secretKey = Buffer.alloc(sodium.crypto_sign_SECRETKEYBYTES)
  sodium.crypto_sign_keypair(publicKey, secretKey)
  return { publicKeyBase58: bs58.encode(publicKey), secretKey }
}

/** The 32 bytes from which the pair can be made again; nothing else needs to be stored. */
export const seedOf = (pair: KeyPair): Buffer => pair.secretKey.subarray(0, sodium.crypto_sign_SEEDBYTES)

/** A pair of ours as records keep it: the seed in base64url, the public key in base58. */
export type OwnKey = { readonly ownSeed: string; readonly ownKey: string }

/** Made from the seed, so that the public key, which is about to be needed, is worked out once. */
export const createOwnKey = (): OwnKey => {
  const seed = randomBytes(sodium.crypto_sign_SEEDBYTES)
  return { ownSeed: seed.toString('base64url'), ownKey: keyPairFromSeed(seed).publicKeyBase58 }
}

export const pairOf = (ownSeed: string): KeyPair => keyPairFromSeed(Buffer.from(ownSeed, 'base64url'))

type PublicKey = { readonly raw: Buffer; readonly base58: string }

/** By a hash of the seed, so that no secret stays in memory: each message of a connection needs its pair again. */
const publicKeys = new LRUCache<string, PublicKey>({ max: 4_096 })

export const keyPairFromSeed = (seed: Uint8Array): KeyPair => {
  const { raw, base58 } = publicKeyOf(seed)
  // As libsodium keeps it: the seed and behind it the public key.
  return { publicKeyBase58: base58, secretKey: Buffer.concat([seed, raw]) }
}

const publicKeyOf = (seed: Uint8Array): PublicKey => {
  const name = hash('sha256', seed, 'base64url')
  const known = publicKeys.get(name)
  if (known) return known
  const raw = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES)
  const secretKey = Buffer.alloc(sodium.crypto_sign_SECRETKEYBYTES)
  sodium.crypto_sign_seed_keypair(raw, secretKey, seed)
  sodium.sodium_memzero(secretKey)
  const made = { raw, base58: bs58.encode(raw) }
  publicKeys.set(name, made)
  return made
}

/** A conversion costs as much as opening a short envelope, and each key of a connection is converted ten times. */
const CONVERTED_MAX = 4_096
const converted = new LRUCache<string, Buffer>({ max: CONVERTED_MAX })

/**
 * The Curve25519 key for an Ed25519 key. The buffer is shared and must not be written to. Throws on a text that is not
 * an Ed25519 key, and on points that Curve25519 does not take.
 */
export const boxPublicKey = (publicKeyBase58: string): Buffer => {
  const known = converted.get(publicKeyBase58)
  if (known) return known
  const curve = Buffer.alloc(32)
  sodium.crypto_sign_ed25519_pk_to_curve25519(curve, rawKey(publicKeyBase58))
  converted.set(publicKeyBase58, curve)
  return curve
}

/** The Curve25519 secret key, which the caller wipes after use. */
export const boxSecretKey = (pair: KeyPair): Buffer => {
  const curve = Buffer.alloc(32)
  sodium.crypto_sign_ed25519_sk_to_curve25519(curve, pair.secretKey)
  return curve
}

export const signWith = (pair: KeyPair, message: Uint8Array): Buffer => {
  const signature = Buffer.alloc(sodium.crypto_sign_BYTES)
  sodium.crypto_sign_detached(signature, message, pair.secretKey)
  return signature
}

export const verifyWith = (publicKeyBase58: string, message: Uint8Array, signature: Uint8Array): boolean =>
  signature.length === sodium.crypto_sign_BYTES &&
  sodium.crypto_sign_verify_detached(signature, message, rawKey(publicKeyBase58))

/** The `did:key:z6Mk…` of an Ed25519 key. */
export const didKeyOf = (publicKeyBase58: string): string => `did:key:${multibaseKey(publicKeyBase58)}`

export const multibaseKey = (publicKeyBase58: string): string =>
  `z${bs58.encode(Buffer.concat([ED25519_CODEC, rawKey(publicKeyBase58)]))}`

/** The `z6LS…` of the Curve25519 key for an Ed25519 key. */
export const multibaseAgreementKey = (publicKeyBase58: string): string =>
  `z${bs58.encode(Buffer.concat([X25519_CODEC, boxPublicKey(publicKeyBase58)]))}`

/**
 * The Ed25519 key, in base58, of a `did:key`, a `did:key…#fragment`, a multibase text or base58; null when the text is
 * not one.
 */
export const ed25519KeyOf = (text: string): string | null => {
  const plain = text.startsWith('did:key:') ? (text.slice('did:key:'.length).split('#')[0] ?? '') : text
  // A key in base58 may itself begin with the z that marks a multibase text.
  if (!text.startsWith('did:key:') && decoded(plain)?.length === 32) return plain
  const bytes = plain.startsWith('z') ? decoded(plain.slice(1)) : decoded(plain)
  if (bytes?.length === 34 && bytes.subarray(0, 2).equals(ED25519_CODEC))
    return bs58.encode(bytes.subarray(2))
  return null
}

const rawKey = (publicKeyBase58: string): Buffer => {
  const bytes = decoded(publicKeyBase58)
  if (bytes?.length !== 32) throw new RangeError('an Ed25519 key has 32 bytes')
  return bytes
}

const decoded = (base58: string): Buffer | null => {
  if (base58.length > 128) return null
  try {
    return Buffer.from(bs58.decode(base58))
  } catch {
    return null
  }
}
