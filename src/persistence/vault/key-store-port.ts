/**
 * Where wrapped keys are kept: an SQLite file or a Cassandra keyspace apart from journal, stream and snapshots, so that
 * a deleted key is gone from everywhere. Every method may fail with StoreFailure and may be repeated after an unknown
 * outcome.
 */
export interface KeyStore extends AsyncDisposable {
  /**
   * Durable when it resolves. A record may have several keys, because rivals that create it never overwrite each other's:
   * answers with those that were kept before, in the order of their ids. The word of a record whose key is gone says that
   * this one is not kept.
   */
  insertKey(key: DataKeyRow): Promise<StoredKeys>
  /** In the order of their ids. No rows and no word of why: this store never heard of the record. */
  readKeys(record: string): Promise<StoredKeys>
  /** The same of several, all of which are in the answer. */
  readKeysOf(records: readonly string[]): Promise<ReadonlyMap<string, StoredKeys>>
  /**
   * Deletes every key of the record for good, also one whose insert is still under way and arrives later, and leaves
   * word that it was erased. What the store has written ahead may hold it for some seconds more.
   */
  eraseKeys(record: string): Promise<void>
  /** Nothing that was deleted before stands in what the store has written ahead when it resolves. */
  cleanLog(): Promise<void>
  /** Leaves word that the record's key is lost; one that was erased stays erased. */
  markLost(record: string): Promise<void>

  readTenantKey(tenant: string): Promise<TenantKeyRow | null>
  /**
   * The first insert wins. Refused unless `master` is current, so that a rotation misses no key that is made meanwhile.
   */
  insertTenantKey(key: TenantKeyRow): Promise<TenantKeyInsert>
  /** Deletes the key of a tenant for good. The word that it was erased is that of the record of its name. */
  eraseTenantKey(tenant: string): Promise<void>
  /** One page in the order of tenants. */
  listTenantKeys(after: string | null, limit: number): Promise<readonly TenantKeyRow[]>
  /**
   * How many rewraps to run at once: a file commits a group with one sync, while conditional statements of rivals
   * collide.
   */
  readonly rewrapsAtOnce: number
  /** Replaces exactly the row that was read; false when it changed or `next.master` is not current. */
  rewrapTenantKey(from: TenantKeyRow, next: TenantKeyRow): Promise<boolean>

  /** Id of the master key that wraps new tenant keys; null in a store that never had one. */
  currentMaster(): Promise<string | null>
  /** Compare-and-set; false when `expected` is not the current one. */
  setCurrentMaster(expected: string | null, next: string): Promise<boolean>

  /** Null in a store that no service was started on. */
  readMark(): Promise<KeyStoreMark | null>
  /** Compare-and-set; false when `expected` is not what it has. */
  setMark(expected: KeyStoreMark | null, next: KeyStoreMark): Promise<boolean>
  /** The mark with everything counted that was written before. */
  countedMark(): Promise<KeyStoreMark | null>
}

/** Which key store this is, and how far it has come; the journal remembers the same. */
export type KeyStoreMark = { readonly id: string; readonly count: number }

/** The word that is left of a key. */
export type Gone = 'erased' | 'lost'
export type StoredKeys = readonly DataKeyRow[] | Gone

export type DataKeyRow = {
  readonly record: string
  /** Distinguishes the keys of one record; 8 base64url characters. */
  readonly keyId: string
  readonly tenant: string
  readonly connection: string | null
  /** Id of the connection's key that wraps this one; null when the tenant's key does. */
  readonly parentKeyId: string | null
  readonly wrapped: Buffer
}

export type TenantKeyRow = {
  readonly tenant: string
  /** Id of the master key that wraps this key. */
  readonly master: string
  readonly wrapped: Buffer
}

export type TenantKeyInsert<Row = TenantKeyRow> =
  | { readonly is: 'written' }
  | { readonly is: 'exists'; readonly key: Row }
  | { readonly is: 'stale-master'; readonly current: string | null }
