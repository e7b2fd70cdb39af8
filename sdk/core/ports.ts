import type { Anoncreds } from '@hyperledger/anoncreds-shared'
import type { IndyVdr } from '@hyperledger/indy-vdr-shared'

// What the core needs of the machine it runs on. An adapter (sdk/node, sdk/react-native) is one value of each.

/** One thing that the wallet keeps. What it holds is sealed before it comes here. */
export type Row = { readonly kind: string; readonly id: string; readonly content: Uint8Array }

/** A row as it is to be from now on, or that it is to be gone. */
export type Change = Omit<Row, 'content'> & { readonly content: Uint8Array | null }

/** Where a wallet is kept. */
export type WalletStorage = {
  /** Names the wallet on this machine: its key is kept in `SecureKeys` under this name. */
  readonly name: string
  /**
   * Refuses what is damaged, open elsewhere, or not to be had (`storageProblem`), and changes nothing then. Until it is
   * closed nobody else can open it.
   */
  open(): Promise<OpenStorage>
  /** Removes what is kept, readable or not; refuses as long as it is open elsewhere. */
  erase(): Promise<void>
}

export type OpenStorage = {
  /** Every row. Throws where one cannot be read, and changes nothing then. */
  readAll(): Promise<readonly Row[]>
  /** All of the changes or none, and durable when it is done: the wallet sends nothing that it could forget. */
  write(changes: readonly Change[]): Promise<void>
  close(): Promise<void>
}

/** The key chain of the machine: what is in it is in no backup and in no other place. */
export type SecureKeys = {
  read(name: string): Promise<Uint8Array | null>
  write(name: string, key: Uint8Array): Promise<void>
  remove(name: string): Promise<void>
}

export type Clock = {
  now(): number
  /** Runs `work` once, later; what comes back calls it off. */
  after(ms: number, work: () => void): () => void
}

export type NetworkRequest = {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
}

export type NetworkAnswer = {
  readonly status: number
  /** Where the answer came from: an adapter that cannot refuse a redirect at least says that there was one. */
  readonly url: string
  readonly retryAfter: string | null
  readonly body: Uint8Array
}

/** The sockets of the machine, as far as the wallet needs them: it asks over HTTP, and nobody asks it. */
export type Network = {
  /** Follows no redirect, and rejects where no answer came. */
  ask(url: string, request: NetworkRequest): Promise<NetworkAnswer>
  /** Asked after a failure alone, to tell a phone without network from a service that is away. */
  isOnline(): Promise<boolean>
}

export type KeyPair = { readonly publicKey: Uint8Array; readonly secretKey: Uint8Array }
export type SealedContent = {
  readonly encrypted: Uint8Array
  readonly iv: Uint8Array
  readonly tag: Uint8Array
}

/** The primitives of DIDComm v1 and of the wallet's own sealing, as libsodium has them. */
export type Cryptography = {
  randomBytes(length: number): Uint8Array
  sha256(data: Uint8Array): Uint8Array
  /** Ed25519; the secret key is the seed followed by the public key. */
  newSigningKey(seed?: Uint8Array): KeyPair
  sign(data: Uint8Array, secretKey: Uint8Array): Uint8Array
  verify(data: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean
  /** The X25519 key of an Ed25519 key. */
  toCurve(key: KeyPair): KeyPair
  sealAnonymous(plain: Uint8Array, theirs: Uint8Array): Uint8Array
  openAnonymous(sealed: Uint8Array, own: KeyPair): Uint8Array
  sealBetween(plain: Uint8Array, iv: Uint8Array, theirs: Uint8Array, own: KeyPair): Uint8Array
  openBetween(sealed: Uint8Array, iv: Uint8Array, theirs: Uint8Array, own: KeyPair): Uint8Array
  /** ChaCha20-Poly1305 (IETF). */
  sealContent(plain: Uint8Array, key: Uint8Array, additional: Uint8Array | null): SealedContent
  openContent(content: SealedContent, key: Uint8Array, additional: Uint8Array | null): Uint8Array
}

/** The native libraries of credentials and of the ledger, in the shape that both of their bindings have. */
export type NativeLibraries = { readonly anoncreds: Anoncreds; readonly indyVdr: IndyVdr }

export type Platform = {
  readonly secureKeys: SecureKeys
  readonly clock: Clock
  readonly network: Network
  readonly cryptography: Cryptography
  readonly libraries: NativeLibraries
}
