/** Seals and opens personal fields of one record. Kept by the record's owner only, dropped on erasure and passivation. */
export interface RecordSeal {
  /** True once the key, or one above it, was erased while its holder has what it opened. */
  readonly gone?: boolean
  /** Text to base64url ciphertext; `context` (record, field place) is authenticated, so ciphertexts can't be moved around. */
  seal(plain: string, context: string): string
  /** Null when the key was erased or is lost. Throws KeyUnknown when it is neither and not there. */
  open(sealed: string, context: string): string | null
  /** HMAC under a key of the record: whoever guesses the text cannot tell once that key is erased. Throws as sealing does. */
  fingerprint(text: string): string
}

/**
 * Thrown by sealing, or creating a key below, an erased record: the caller is too late, and repeating does not help.
 */
export class KeyGone extends Error {
  override readonly name = 'KeyGone'
  readonly retryable = false
  readonly record: string
  constructor(record: string) {
    super(`the key of ${record} was erased`)
    this.record = record
  }
}

/**
 * Thrown where a key must exist and is not found: nothing says that it was erased, so nothing is read as erased and no
 * other key is made. Retryable, because it works once the operator has put the right key store back.
 */
export class KeyUnknown extends Error {
  override readonly name = 'KeyUnknown'
  readonly retryable = true
  readonly record: string
  constructor(record: string) {
    super(`the key store does not know the key of ${record}`)
    this.record = record
  }
}

/** Thrown by changing a record whose key was given up for lost when the operator accepted an older key store. */
export class KeyLost extends Error {
  override readonly name = 'KeyLost'
  readonly retryable = false
  readonly record: string
  constructor(record: string) {
    super(`the key of ${record} is lost: it was not in the older key store that was accepted`)
    this.record = record
  }
}

/** The seal of a record whose key is lost: its clear fields can still be read, and nothing can be added. */
export class LostSeal implements RecordSeal {
  readonly #record: string
  constructor(record: string) {
    this.#record = record
  }
  seal(): string {
    throw new KeyLost(this.#record)
  }
  open(): null {
    return null
  }
  fingerprint(): string {
    throw new KeyLost(this.#record)
  }
}

export type KeyParent = { readonly tenant: string; readonly connection: string | null }

export interface Vault extends AsyncDisposable {
  /**
   * The key is durable before this resolves: no event is sealed with a key that could vanish in a crash. Throws
   * KeyGone for an erased record and below an erased connection, KeyLost likewise. A record that is its own tenant gets its tenant's key too.
   */
  create(record: string, parent: KeyParent): Promise<RecordSeal>
  /**
   * A seal for an existing record; when its key (or one above it) was erased, or is lost, one that opens everything as
   * null. Throws KeyUnknown when nothing is known of a key.
   */
  open(record: string): Promise<RecordSeal>
  /** As `open`, for a record that another node may own: what that node has erased reads null here at once. */
  openElsewhere(record: string): Promise<RecordSeal>
  /**
   * Deletes the key for good: it is gone from file and cache when this resolves, and some seconds later from what the
   * store has written ahead. Repeating is harmless.
   */
  erase(record: string): Promise<void>
  /** Resolves when no key that was erased before stands in what the store has written ahead. */
  cleaned(): Promise<void>
  /**
   * Deletes the key of a tenant for good: what it sealed itself, and every record below it, reads null from here on,
   * and nothing is sealed below it any more. Repeating is harmless.
   */
  eraseTenant(tenant: string): Promise<void>
  /** Makes the key of a tenant that begins now, never for one that exists. Repeating is harmless. Throws KeyGone for one that was erased. */
  makeTenant(tenant: string): Promise<void>
  /** A seal for a tenant's own secrets, such as its private keys, which outlive every record. */
  openTenant(tenant: string): Promise<RecordSeal>
  /**
   * Called when another node erased the record: seals of the record and of those below it read null here from now on.
   */
  erasedElsewhere(record: string): void
  /** HMAC under a key of the tenant: a fingerprint that can't be guessed from low-entropy input. */
  fingerprint(tenant: string, text: string): Promise<string>
  probe(): Promise<void>
}
