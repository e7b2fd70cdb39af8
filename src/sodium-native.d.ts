declare module 'sodium-native' {
  const sodium: {
    crypto_sign_PUBLICKEYBYTES: number
    crypto_sign_SECRETKEYBYTES: number
    crypto_sign_SEEDBYTES: number
    crypto_sign_BYTES: number
    crypto_sign_keypair(publicKey: Uint8Array, secretKey: Uint8Array): void
    crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void
    crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void
    crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean
    crypto_sign_ed25519_pk_to_curve25519(curve: Uint8Array, ed: Uint8Array): void
    crypto_sign_ed25519_sk_to_curve25519(curve: Uint8Array, ed: Uint8Array): void
    crypto_box_easy(
      cipher: Uint8Array,
      message: Uint8Array,
      nonce: Uint8Array,
      publicKey: Uint8Array,
      secretKey: Uint8Array,
    ): void
    crypto_box_open_easy(
      message: Uint8Array,
      cipher: Uint8Array,
      nonce: Uint8Array,
      publicKey: Uint8Array,
      secretKey: Uint8Array,
    ): boolean
    crypto_box_seal(cipher: Uint8Array, message: Uint8Array, publicKey: Uint8Array): void
    crypto_box_seal_open(
      message: Uint8Array,
      cipher: Uint8Array,
      publicKey: Uint8Array,
      secretKey: Uint8Array,
    ): boolean
    crypto_scalarmult(product: Uint8Array, secretKey: Uint8Array, publicKey: Uint8Array): void
    crypto_stream_salsa20(stream: Uint8Array, nonce: Uint8Array, key: Uint8Array): void
    crypto_secretbox_easy(cipher: Uint8Array, message: Uint8Array, nonce: Uint8Array, key: Uint8Array): void
    crypto_secretbox_open_easy(
      message: Uint8Array,
      cipher: Uint8Array,
      nonce: Uint8Array,
      key: Uint8Array,
    ): boolean
    crypto_box_NONCEBYTES: number
    crypto_box_MACBYTES: number
    crypto_box_SEALBYTES: number
    crypto_aead_chacha20poly1305_ietf_encrypt_detached(
      cipher: Uint8Array,
      tag: Uint8Array,
      message: Uint8Array,
      additional: Uint8Array | null,
      secretNonce: null,
      nonce: Uint8Array,
      key: Uint8Array,
    ): number
    crypto_aead_chacha20poly1305_ietf_decrypt_detached(
      message: Uint8Array,
      secretNonce: null,
      cipher: Uint8Array,
      tag: Uint8Array,
      additional: Uint8Array | null,
      nonce: Uint8Array,
      key: Uint8Array,
    ): void
    crypto_aead_chacha20poly1305_ietf_KEYBYTES: number
    crypto_aead_chacha20poly1305_ietf_NPUBBYTES: number
    crypto_aead_chacha20poly1305_ietf_ABYTES: number
    sodium_memzero(buffer: Uint8Array): void
  }
  export default sodium
}
