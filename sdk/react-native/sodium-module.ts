import type { Cryptography, KeyPair } from '../core/ports.ts'
import type { CryptoModule, SodiumKeys, SodiumModule } from './modules.ts'

const CIPHER = 'chacha20-poly1305'
const IV_BYTES = 12
const SEED_BYTES = 32

/** libsodium of the phone, and beside it what only the other module has: hashes, and the cipher of the contents. */
export const phoneCryptography = (sodium: SodiumModule, crypto: CryptoModule): Cryptography => ({
  randomBytes: (length) => sodium.randombytes_buf(length),
  sha256: (data) => crypto.createHash('sha256').update(data).digest(),
  newSigningKey: (seed) =>
    keysOf(seed ? sodium.crypto_sign_seed_keypair(seed) : sodium.crypto_sign_keypair()),
  sign: (data, secretKey) => sodium.crypto_sign_detached(data, secretKey),
  verify: (data, signature, publicKey) => sodium.crypto_sign_verify_detached(signature, data, publicKey),
  toCurve: ({ publicKey, secretKey }) => ({
    publicKey: bytesFrom(sodium.crypto_sign_ed25519_pk_to_curve25519(publicKey)),
    secretKey: secretOnCurve(crypto, secretKey),
  }),
  sealAnonymous: (plain, theirs) => sodium.crypto_box_seal(plain, theirs),
  openAnonymous: (sealed, own) => sodium.crypto_box_seal_open(sealed, own.publicKey, own.secretKey),
  sealBetween: (plain, iv, theirs, own) => sodium.crypto_box_easy(plain, iv, theirs, own.secretKey),
  openBetween: (sealed, iv, theirs, own) => sodium.crypto_box_open_easy(sealed, iv, theirs, own.secretKey),
  sealContent(plain, key, additional) {
    const iv = sodium.randombytes_buf(IV_BYTES)
    const cipher = crypto.createCipheriv(CIPHER, key, iv)
    if (additional !== null) cipher.setAAD(additional, { plaintextLength: plain.length })
    const encrypted = joined(cipher.update(plain), cipher.final())
    return { encrypted, iv, tag: cipher.getAuthTag() }
  },
  openContent({ encrypted, iv, tag }, key, additional) {
    const cipher = crypto.createDecipheriv(CIPHER, key, iv)
    if (additional !== null) cipher.setAAD(additional, { plaintextLength: encrypted.length })
    cipher.setAuthTag(tag)
    return joined(cipher.update(encrypted), cipher.final())
  },
})

const keysOf = ({ publicKey, privateKey }: SodiumKeys): KeyPair => ({ publicKey, secretKey: privateKey })

/** libsodium gives a text only where it was asked for one. */
const bytesFrom = (bytes: Uint8Array | string): Uint8Array => {
  if (typeof bytes === 'string') throw new Error('libsodium gave a text in the place of bytes')
  return bytes
}

/** What `crypto_sign_ed25519_sk_to_curve25519` does: the half of the hash of the seed that RFC 8032 makes the scalar. */
const secretOnCurve = (crypto: CryptoModule, secretKey: Uint8Array): Uint8Array => {
  const hash = crypto.createHash('sha512').update(secretKey.slice(0, SEED_BYTES)).digest()
  const scalar = Uint8Array.from(hash.subarray(0, SEED_BYTES))
  scalar[0] = (scalar[0] ?? 0) & 248
  scalar[31] = ((scalar[31] ?? 0) & 127) | 64
  return scalar
}

const joined = (first: Uint8Array, last: Uint8Array): Uint8Array => {
  const all = new Uint8Array(first.length + last.length)
  all.set(first)
  all.set(last, first.length)
  return all
}
