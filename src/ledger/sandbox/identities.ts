import { createHash } from 'node:crypto'
import bs58 from 'bs58'
import sodium from 'sodium-native'

export type Identity = {
  readonly did: string
  readonly verkey: string
  readonly secretKey: Buffer
  readonly seed: Buffer
}

/** The DID of an Indy identity is the first half of its verification key. */
export const identityFromSeed = (seed: Uint8Array): Identity => {
  const publicKey = Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES)
  const secretKey = Buffer.alloc(sodium.crypto_sign_SECRETKEYBYTES)
  sodium.crypto_sign_seed_keypair(publicKey, secretKey, seed)
  const did = bs58.encode(publicKey.subarray(0, 16))
  return { did, verkey: bs58.encode(publicKey), secretKey, seed: Buffer.from(seed) }
}

/** The pool's own identities are derived from the pool's secret, with a label for each. */
export const derivedIdentity = (secret: Uint8Array, label: string): Identity =>
  identityFromSeed(createHash('sha256').update(secret).update(label).digest())

export const verify = (verkey: string, did: string, text: string, signature: string): boolean => {
  const key = decodeVerkey(verkey, did)
  const bytes = decode(signature, sodium.crypto_sign_BYTES)
  return key !== null && bytes !== null && sodium.crypto_sign_verify_detached(bytes, Buffer.from(text), key)
}

/** A key `~…` is the second half of a key whose first half is the DID. */
export const decodeVerkey = (verkey: string, did: string): Buffer | null => {
  if (!verkey.startsWith('~')) return decode(verkey, 32)
  const first = decode(did, 16)
  const second = decode(verkey.slice(1), 16)
  return first && second ? Buffer.concat([first, second]) : null
}

export const isDid = (text: unknown): text is string => typeof text === 'string' && decode(text, 16) !== null

const decode = (text: string, length: number): Buffer | null => {
  if (text.length > 128) return null
  try {
    const bytes = bs58.decode(text)
    return bytes.length === length ? Buffer.from(bytes) : null
  } catch {
    return null
  }
}

/** The CurveZMQ keys of a node, in Z85, from its Ed25519 identity. */
export const curveKeys = (identity: Identity): { publicKey: string; secretKey: string } => {
  const publicKey = Buffer.alloc(32)
  const secretKey = Buffer.alloc(32)
  sodium.crypto_sign_ed25519_pk_to_curve25519(publicKey, Buffer.from(bs58.decode(identity.verkey)))
  sodium.crypto_sign_ed25519_sk_to_curve25519(secretKey, identity.secretKey)
  return { publicKey: z85(publicKey), secretKey: z85(secretKey) }
}

const Z85 = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#'

const z85 = (bytes: Buffer): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    const word = bytes.readUInt32BE(at)
    for (let power = 4; power >= 0; power -= 1) text += Z85[Math.floor(word / 85 ** power) % 85]
  }
  return text
}
