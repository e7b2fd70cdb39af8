import type { NativeLibraries } from '../core/ports.ts'

// The native modules that an app passes in, by the functions that are used of them. There is no dependency on them here:
// they are checked against these types in the app.

/**
 * What `react-native-libsodium` (1.7) has on a phone, with the names of `libsodium-wrappers`. Its types list more: the
 * rest is in its build for the web alone.
 */
export type SodiumModule = {
  randombytes_buf(length: number): Uint8Array
  crypto_sign_keypair(): SodiumKeys
  crypto_sign_seed_keypair(seed: Uint8Array): SodiumKeys
  crypto_sign_detached(data: Uint8Array, secretKey: Uint8Array): Uint8Array
  crypto_sign_verify_detached(signature: Uint8Array, data: Uint8Array, publicKey: Uint8Array): boolean
  crypto_sign_ed25519_pk_to_curve25519(publicKey: Uint8Array): Uint8Array | string
  crypto_box_seal(plain: Uint8Array, theirs: Uint8Array): Uint8Array
  crypto_box_seal_open(sealed: Uint8Array, publicKey: Uint8Array, secretKey: Uint8Array): Uint8Array
  crypto_box_easy(plain: Uint8Array, iv: Uint8Array, theirs: Uint8Array, secretKey: Uint8Array): Uint8Array
  crypto_box_open_easy(sealed: Uint8Array, iv: Uint8Array, theirs: Uint8Array, own: Uint8Array): Uint8Array
}

export type SodiumKeys = { readonly publicKey: Uint8Array; readonly privateKey: Uint8Array }

/** What libsodium lacks on a phone, as `react-native-quick-crypto` (1.1) has it: in the shape of `node:crypto`. */
export type CryptoModule = {
  createHash(name: 'sha256' | 'sha512'): HashModule
  createCipheriv(name: 'chacha20-poly1305', key: Uint8Array, iv: Uint8Array): CipherModule
  createDecipheriv(name: 'chacha20-poly1305', key: Uint8Array, iv: Uint8Array): DecipherModule
}

type HashModule = { update(data: Uint8Array): HashModule; digest(): Uint8Array }
type CipherSteps = {
  setAAD(additional: Uint8Array, options: { readonly plaintextLength: number }): unknown
  update(data: Uint8Array): Uint8Array
  final(): Uint8Array
}
type CipherModule = CipherSteps & { getAuthTag(): Uint8Array }
type DecipherModule = CipherSteps & { setAuthTag(tag: Uint8Array): unknown }

type Execute = (sql: string, values?: readonly unknown[]) => Promise<{ readonly rows: readonly unknown[] }>

/** A SQLite binding. Blobs are `Uint8Array` or `ArrayBuffer`. */
export type DatabaseModule = {
  open(name: string): Promise<OpenedDatabase>
  /** With its journal. */
  remove(name: string): Promise<void>
}

export type OpenedDatabase = {
  readonly execute: Execute
  /** All of it or nothing, durable when it is done. */
  transaction(work: (execute: Execute) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** As `react-native-keychain` has it. */
export type KeychainModule = {
  getGenericPassword(options: { service: string }): Promise<false | { readonly password: string }>
  setGenericPassword(
    user: string,
    password: string,
    options: { service: string; accessible: string },
  ): Promise<unknown>
  resetGenericPassword(options: { service: string }): Promise<unknown>
}

export type FetchModule = (
  url: string,
  init: {
    method: string
    headers: Record<string, string>
    body?: string
    redirect: 'manual'
    signal: AbortSignal
  },
) => Promise<{
  readonly status: number
  readonly url: string
  readonly headers: { get(name: string): string | null }
  arrayBuffer(): Promise<ArrayBuffer>
}>

export type NativeModules = NativeLibraries & {
  readonly sodium: SodiumModule
  readonly crypto: CryptoModule
  readonly database: DatabaseModule
  readonly keychain: KeychainModule
  readonly fetch: FetchModule
  /** For example of `@react-native-community/netinfo`. */
  readonly isOnline: () => Promise<boolean>
}
