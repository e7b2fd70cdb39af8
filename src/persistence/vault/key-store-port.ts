/**
 * Where wrapped keys are kept: an SQLite file or a Cassandra keyspace of their own, outside journal, stream and
 * snapshots, so that a deleted key is gone from everywhere. Every method may fail with StoreFailure and may be
 * repeated after an unknown outcome.
 */
export interface KeyStore extends AsyncDisposable {
  /** Durable when it resolves. A record may have several keys: rivals that create at once never overwrite each other. */
  insertKey(key: DataKeyRow): Promise<void>
  readKeys(record: string): Promise<readonly DataKeyRow[]>
  /** Deletes every key of the record for good, also one whose insert is still under way and arrives later. */
  eraseKeys(record: string): Promise<void>

  readTenantKey(tenant: string): Promise<TenantKeyRow | null>
  /** First one wins. Refused unless `master` is current, so that a rotation misses no key that is made meanwhile. */
  insertTenantKey(key: TenantKeyRow): Promise<TenantKeyInsert>
  /** In order of tenant, a page at a time. */
  listTenantKeys(after: string | null, limit: number): Promise<readonly TenantKeyRow[]>
  /** How many of the next are worth having under way at once: a file takes a group for one sync, rival conditions collide. */
  readonly rewrapsAtOnce: number
  /** Only over the very row that was read; false: it changed or `next.master` is not current. */
  rewrapTenantKey(from: TenantKeyRow, next: TenantKeyRow): Promise<boolean>

  /** Id of the master key that wraps new tenant keys; null in a store that never had one. */
  currentMaster(): Promise<string | null>
  /** Compare and set. */
  setCurrentMaster(expected: string | null, next: string): Promise<boolean>
}

export type DataKeyRow = {
  readonly record: string
  /** Tells the keys of one record apart; 8 base64url characters. */
  readonly keyId: string
  readonly tenant: string
  readonly connection: string | null
  /** Which key of the connection wraps it; null when the tenant's does. */
  readonly parentKeyId: string | null
  readonly wrapped: Buffer
}

export type TenantKeyRow = {
  readonly tenant: string
  /** Id of the master key that wraps it. */
  readonly master: string
  readonly wrapped: Buffer
}

export type TenantKeyInsert =
  | { readonly is: 'written' }
  | { readonly is: 'exists'; readonly key: TenantKeyRow }
  | { readonly is: 'stale-master'; readonly current: string | null }
