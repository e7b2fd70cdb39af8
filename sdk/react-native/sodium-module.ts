import type { Cryptography } from '../core/ports.ts'
import type { SodiumKeys, SodiumModule } from './modules.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

/** libsodium of the phone. Its ciphers put the tag behind the content, and so they are taken apart here. */
export const phoneCryptography = (sodium: SodiumModule): Cryptography => ({
  randomBytes: (length) => sodium.randombytes_buf(length),
  sha256: (data) => sodium.crypto_hash_sha256(data),
  newSigningKey: (seed) =>
    keysOf(seed ? sodium.crypto_sign_seed_keypair(seed) : sodium.crypto_sign_keypair()),
  sign: (data, secretKey) => sodium.crypto_sign_detached(data, secretKey),
  verify: (data, signature, publicKey) => sodium.crypto_sign_verify_detached(signature, data, publicKey),
  toCurve: ({ publicKey, secretKey }) => ({
    publicKey: sodium.crypto_sign_ed25519_pk_to_curve25519(publicKey),
    secretKey: sodium.crypto_sign_ed25519_sk_to_curve25519(secretKey),
  }),
  sealAnonymous: (plain, theirs) => sodium.crypto_box_seal(plain, theirs),
  openAnonymous: (sealed, own) => sodium.crypto_box_seal_open(sealed, own.publicKey, own.secretKey),
  sealBetween: (plain, iv, theirs, own) => sodium.crypto_box_easy(plain, iv, theirs, own.secretKey),
  openBetween: (sealed, iv, theirs, own) => sodium.crypto_box_open_easy(sealed, iv, theirs, own.secretKey),
  sealContent(plain, key, additional) {
    const iv = sodium.randombytes_buf(IV_BYTES)
    const sealed = sodium.crypto_aead_chacha20poly1305_ietf_encrypt(plain, additional, null, iv, key)
    const end = sealed.length - TAG_BYTES
    return { encrypted: sealed.slice(0, end), iv, tag: sealed.slice(end) }
  },
  openContent({ encrypted, iv, tag }, key, additional) {
    const sealed = new Uint8Array(encrypted.length + tag.length)
    sealed.set(encrypted)
    sealed.set(tag, encrypted.length)
    return sodium.crypto_aead_chacha20poly1305_ietf_decrypt(null, sealed, additional, iv, key)
  },
})

const keysOf = ({ publicKey, privateKey }: SodiumKeys): { publicKey: Uint8Array; secretKey: Uint8Array } => ({
  publicKey,
  secretKey: privateKey,
})
