import { createHash, randomBytes } from 'node:crypto'
import sodium from 'sodium-native'
import type { Cryptography, KeyPair, SealedContent } from '../core/ports.ts'

export const sodiumCryptography: Cryptography = {
  randomBytes: (length) => randomBytes(length),
  sha256: (data) => createHash('sha256').update(data).digest(),

  newSigningKey(seed) {
    const key = {
      publicKey: Buffer.alloc(sodium.crypto_sign_PUBLICKEYBYTES),
      secretKey: Buffer.alloc(sodium.crypto_sign_SECRETKEYBYTES),
    }
    if (seed) sodium.crypto_sign_seed_keypair(key.publicKey, key.secretKey, seed)
    else sodium.crypto_sign_keypair(key.publicKey, key.secretKey)
    return key
  },

  sign(data, secretKey) {
    const signature = Buffer.alloc(sodium.crypto_sign_BYTES)
    sodium.crypto_sign_detached(signature, data, secretKey)
    return signature
  },

  verify: (data, signature, publicKey) => sodium.crypto_sign_verify_detached(signature, data, publicKey),

  toCurve(key) {
    const curve = { publicKey: Buffer.alloc(32), secretKey: Buffer.alloc(32) }
    sodium.crypto_sign_ed25519_pk_to_curve25519(curve.publicKey, key.publicKey)
    sodium.crypto_sign_ed25519_sk_to_curve25519(curve.secretKey, key.secretKey)
    return curve
  },

  sealAnonymous(plain, theirs) {
    const sealed = Buffer.alloc(plain.length + sodium.crypto_box_SEALBYTES)
    sodium.crypto_box_seal(sealed, plain, theirs)
    return sealed
  },

  openAnonymous(sealed, own) {
    const plain = Buffer.alloc(Math.max(0, sealed.length - sodium.crypto_box_SEALBYTES))
    if (!sodium.crypto_box_seal_open(plain, sealed, own.publicKey, own.secretKey)) throw undecipherable()
    return plain
  },

  sealBetween(plain, iv, theirs, own) {
    const encrypted = Buffer.alloc(plain.length + sodium.crypto_box_MACBYTES)
    sodium.crypto_box_easy(encrypted, plain, iv, theirs, own.secretKey)
    return encrypted
  },

  openBetween(sealed, iv, theirs, own: KeyPair) {
    const plain = Buffer.alloc(Math.max(0, sealed.length - sodium.crypto_box_MACBYTES))
    if (!sodium.crypto_box_open_easy(plain, sealed, iv, theirs, own.secretKey)) throw undecipherable()
    return plain
  },

  sealContent(plain, key, additional): SealedContent {
    const iv = randomBytes(sodium.crypto_aead_chacha20poly1305_ietf_NPUBBYTES)
    const encrypted = Buffer.alloc(plain.length)
    const tag = Buffer.alloc(sodium.crypto_aead_chacha20poly1305_ietf_ABYTES)
    sodium.crypto_aead_chacha20poly1305_ietf_encrypt_detached(
      encrypted,
      tag,
      plain,
      additional,
      null,
      iv,
      key,
    )
    return { encrypted, iv, tag }
  },

  openContent({ encrypted, iv, tag }, key, additional) {
    const plain = Buffer.alloc(encrypted.length)
    sodium.crypto_aead_chacha20poly1305_ietf_decrypt_detached(
      plain,
      null,
      encrypted,
      tag,
      additional,
      iv,
      key,
    )
    return plain
  },
}

const undecipherable = (): Error => new Error('the content can not be opened with this key')
