/** Seals and opens personal fields of one record. Kept by the record's owner only, dropped on erasure and passivation. */
export interface RecordSeal {
  /** Text to base64url ciphertext; `context` (record, field place) is authenticated, so ciphertexts can't be moved around. */
  seal(plain: string, context: string): string
  /** Null when the key is gone (erased): missing keys read as null, never as an error. */
  open(sealed: string, context: string): string | null
}

/**
 * Thrown by sealing, or creating a key below, an erased record: the caller is too late, and repeating does not help.
 */
export class KeyGone extends Error {
  override readonly name = 'KeyGone'
  readonly retryable = false
  constructor(record: string) {
    super(`the key of ${record} was erased`)
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
  /** Deletes the key for good: it is gone from file and cache when this resolves. Repeating is harmless. */
  erase(record: string): Promise<void>
  /**
   * A seal for a tenant's own secrets, such as its private keys, which outlive every record. Its key is made on demand.
   */
  openTenant(tenant: string): Promise<RecordSeal>
  /**
   * Called when another node erased the record: seals of the record and of those below it read null here from now on.
   */
  erasedElsewhere(record: string): void
  /** HMAC under a key of the tenant: a fingerprint that can't be guessed from low-entropy input. */
  fingerprint(tenant: string, text: string): Promise<string>
  probe(): Promise<void>
}
