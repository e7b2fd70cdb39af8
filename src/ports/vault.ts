/** Seals and opens personal fields of one record. Kept by the record's owner only, dropped on erasure and passivation. */
export interface RecordSeal {
  /** Text to base64url ciphertext; `context` (record, field place) is authenticated, so ciphertexts can't be moved around. */
  seal(plain: string, context: string): string
  /** Null when the key is gone (erased): missing keys read as null, never as an error. */
  open(sealed: string, context: string): string | null
}

/** Sealing, or creating below, what was erased: the caller came too late, and repeating does not help. */
export class KeyGone extends Error {
  readonly retryable = false
  constructor(record: string) {
    super(`the key of ${record} was erased`)
    this.name = 'KeyGone'
  }
}

export type KeyParent = { readonly tenant: string; readonly connection: string | null }

export interface Vault extends AsyncDisposable {
  /**
   * The key is durable before this resolves: no event is sealed with a key that could vanish in a crash. Throws
   * KeyGone below an erased connection.
   */
  create(record: string, parent: KeyParent): Promise<RecordSeal>
  /** A seal for an existing record; when its key (or one above it) was deleted, one that opens everything as null. */
  open(record: string): Promise<RecordSeal>
  /** Really deletes the key: gone from file and cache when this resolves. Repeating is harmless. */
  erase(record: string): Promise<void>
  /** For what outlives every record of a tenant: its private keys. Made on demand. */
  openTenant(tenant: string): Promise<RecordSeal>
  /** Another node erased the record: seals of it and of what hangs below read null here from now on. */
  erasedElsewhere(record: string): void
  /** HMAC under a key of the tenant: a fingerprint that can't be guessed from low-entropy input. */
  fingerprint(tenant: string, text: string): Promise<string>
  probe(): Promise<void>
}
