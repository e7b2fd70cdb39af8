import { randomBytes } from 'node:crypto'
import sodium from 'sodium-native'

/** The primitives of DIDComm v1 envelopes: NaCl boxes for the content key, ChaCha20-Poly1305 for the content. */
export type Curve = { readonly publicKey: Buffer; readonly secretKey: Buffer }

export const curveOf = (key: { readonly publicKey: Buffer; readonly secretKey: Buffer }): Curve => {
  const curve = { publicKey: Buffer.alloc(32), secretKey: Buffer.alloc(32) }
  sodium.crypto_sign_ed25519_pk_to_curve25519(curve.publicKey, key.publicKey)
  sodium.crypto_sign_ed25519_sk_to_curve25519(curve.secretKey, key.secretKey)
  return curve
}

export const sealAnonymous = (plain: Uint8Array, theirs: Uint8Array): Buffer => {
  const sealed = Buffer.alloc(plain.length + sodium.crypto_box_SEALBYTES)
  sodium.crypto_box_seal(sealed, plain, theirs)
  return sealed
}

export const openAnonymous = (sealed: Uint8Array, own: Curve): Buffer => {
  const plain = Buffer.alloc(Math.max(0, sealed.length - sodium.crypto_box_SEALBYTES))
  if (!sodium.crypto_box_seal_open(plain, sealed, own.publicKey, own.secretKey)) throw undecipherable()
  return plain
}

export const sealBetween = (
  plain: Uint8Array,
  theirs: Uint8Array,
  own: Curve,
): { encrypted: Buffer; iv: Buffer } => {
  const iv = randomBytes(sodium.crypto_box_NONCEBYTES)
  const encrypted = Buffer.alloc(plain.length + sodium.crypto_box_MACBYTES)
  sodium.crypto_box_easy(encrypted, plain, iv, theirs, own.secretKey)
  return { encrypted, iv }
}

export const openBetween = (sealed: Uint8Array, iv: Uint8Array, theirs: Uint8Array, own: Curve): Buffer => {
  const plain = Buffer.alloc(Math.max(0, sealed.length - sodium.crypto_box_MACBYTES))
  if (!sodium.crypto_box_open_easy(plain, sealed, iv, theirs, own.secretKey)) throw undecipherable()
  return plain
}

type Content = { readonly encrypted: Buffer; readonly iv: Buffer; readonly tag: Buffer }

export const sealContent = (plain: Uint8Array, key: Uint8Array, additional: Uint8Array | null): Content => {
  const iv = randomBytes(sodium.crypto_aead_chacha20poly1305_ietf_NPUBBYTES)
  const encrypted = Buffer.alloc(plain.length)
  const tag = Buffer.alloc(sodium.crypto_aead_chacha20poly1305_ietf_ABYTES)
  sodium.crypto_aead_chacha20poly1305_ietf_encrypt_detached(encrypted, tag, plain, additional, null, iv, key)
  return { encrypted, iv, tag }
}

export const openContent = (
  content: { readonly encrypted: Uint8Array; readonly iv: Uint8Array; readonly tag: Uint8Array },
  key: Uint8Array,
  additional: Uint8Array | null,
): Buffer => {
  const plain = Buffer.alloc(content.encrypted.length)
  const { encrypted, tag, iv } = content
  sodium.crypto_aead_chacha20poly1305_ietf_decrypt_detached(plain, null, encrypted, tag, additional, iv, key)
  return plain
}

const undecipherable = (): Error => new Error('the content can not be opened with this key')
