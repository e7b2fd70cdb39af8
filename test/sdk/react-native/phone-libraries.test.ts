import { expectTypeOf, it } from 'vitest'
import type { CryptoModule, SodiumModule } from '../../../sdk/react-native/modules.ts'

// What the libraries that the README names have on a phone, by their own type definitions: those functions that are used.
// The packages are no dependencies of this one, so a version that changes them is noticed in the app.

type Format = 'uint8array' | null
type TextFormat = 'text' | 'hex' | 'base64'
type Pair<Key> = {
  readonly publicKey: Key
  readonly privateKey: Key
  readonly keyType: 'curve25519' | 'ed25519' | 'x25519'
}

/** `lib.native.d.ts` of react-native-libsodium 1.7.0. `lib.d.ts`, which has more, is its build for the web. */
type Libsodium = {
  randombytes_buf: {
    (length: number, outputFormat?: Format): Uint8Array
    (length: number, outputFormat: TextFormat): string
  }
  crypto_sign_keypair: {
    (outputFormat?: Format): Pair<Uint8Array>
    (outputFormat: TextFormat): Pair<string>
  }
  crypto_sign_seed_keypair: {
    (seed: Uint8Array, outputFormat?: Format): Pair<Uint8Array>
    (seed: Uint8Array, outputFormat: TextFormat): Pair<string>
  }
  crypto_sign_detached: {
    (message: string | Uint8Array, privateKey: Uint8Array, outputFormat?: Format): Uint8Array
    (message: string | Uint8Array, privateKey: Uint8Array, outputFormat: TextFormat): string
  }
  crypto_sign_verify_detached: (
    signature: Uint8Array,
    message: string | Uint8Array,
    publicKey: Uint8Array,
  ) => boolean
  crypto_sign_ed25519_pk_to_curve25519: (
    publicKey: Uint8Array,
    outputFormat?: Format,
  ) => string | Uint8Array<ArrayBuffer>
  crypto_box_seal: {
    (plain: string | Uint8Array, publicKey: Uint8Array, outputFormat?: Format): Uint8Array
    (plain: string | Uint8Array, publicKey: Uint8Array, outputFormat: TextFormat): string
  }
  crypto_box_seal_open: {
    (sealed: string | Uint8Array, open: Uint8Array, secret: Uint8Array, outputFormat?: Format): Uint8Array
    (sealed: string | Uint8Array, open: Uint8Array, secret: Uint8Array, outputFormat: TextFormat): string
  }
  crypto_box_easy: BoxEasy
  crypto_box_open_easy: BoxEasy
}
type BoxEasy = {
  (
    text: string | Uint8Array,
    nonce: Uint8Array,
    publicKey: Uint8Array,
    privateKey: Uint8Array,
    outputFormat?: Format,
  ): Uint8Array
  (
    text: string | Uint8Array,
    nonce: Uint8Array,
    publicKey: Uint8Array,
    privateKey: Uint8Array,
    outputFormat: TextFormat,
  ): string
}

type Binary = string | ArrayBuffer | ArrayBufferView

/** `@craftzdog/react-native-buffer`, as far as it is more than what it extends. */
interface PhoneBuffer extends Uint8Array {
  readInt32BE(offset?: number, noAssert?: boolean): number
}

/** `hash.d.ts` and `cipher.d.ts` of react-native-quick-crypto 1.1.7. */
type QuickCrypto = {
  createHash: (algorithm: string, options?: { outputLength?: number | undefined }) => Hash
  createCipheriv: {
    (algorithm: 'aes-256-gcm', key: Binary, iv: Binary, options?: { authTagLength?: number }): Cipher
    (algorithm: string, key: Binary, iv: Binary, options?: object): Cipher
  }
  createDecipheriv: {
    (algorithm: 'aes-256-gcm', key: Binary, iv: Binary, options?: { authTagLength?: number }): Cipher
    (algorithm: string, key: Binary, iv: Binary, options?: object): Cipher
  }
}
declare class Hash {
  update(data: Binary): Hash
  update(data: Binary, inputEncoding: string): PhoneBuffer
  digest(): PhoneBuffer
  digest(encoding: string): string
}
declare class Cipher {
  update(data: PhoneBuffer): PhoneBuffer
  update(data: Binary, inputEncoding?: string): PhoneBuffer
  update(data: Binary, inputEncoding: string, outputEncoding: string): string
  final(): PhoneBuffer
  final(outputEncoding: string): string
  setAAD(buffer: PhoneBuffer, options?: { plaintextLength: number }): this
  getAuthTag(): PhoneBuffer
  setAuthTag(tag: PhoneBuffer): this
}

it('the libraries that the README names have what the adapter for phones uses', () => {
  expectTypeOf<Libsodium>().toExtend<SodiumModule>()
  expectTypeOf<QuickCrypto>().toExtend<CryptoModule>()
})
