import { within } from '../../timing/within.ts'
import { StoreFailure } from '../store-port.ts'
import type { DataKeyRow, KeyStore, TenantKeyInsert, TenantKeyRow } from './key-store-port.ts'

/** Every call ends within its time, and no more than so many are under way; both failures are retryable. */
export class BoundedKeyStore implements KeyStore {
  readonly #store: KeyStore
  readonly #timeoutMs: number
  readonly #pendingMax: number
  #pending = 0

  constructor(store: KeyStore, { timeoutMs, pendingMax }: { timeoutMs: number; pendingMax: number }) {
    this.#store = store
    this.#timeoutMs = timeoutMs
    this.#pendingMax = pendingMax
  }

  get rewrapsAtOnce(): number {
    return this.#store.rewrapsAtOnce
  }

  insertKey(key: DataKeyRow): Promise<void> {
    return this.#bounded((store) => store.insertKey(key))
  }

  readKeys(record: string): Promise<readonly DataKeyRow[]> {
    return this.#bounded((store) => store.readKeys(record))
  }

  eraseKeys(record: string): Promise<void> {
    return this.#bounded((store) => store.eraseKeys(record))
  }

  readTenantKey(tenant: string): Promise<TenantKeyRow | null> {
    return this.#bounded((store) => store.readTenantKey(tenant))
  }

  insertTenantKey(key: TenantKeyRow): Promise<TenantKeyInsert> {
    return this.#bounded((store) => store.insertTenantKey(key))
  }

  listTenantKeys(after: string | null, limit: number): Promise<readonly TenantKeyRow[]> {
    return this.#bounded((store) => store.listTenantKeys(after, limit))
  }

  rewrapTenantKey(from: TenantKeyRow, next: TenantKeyRow): Promise<boolean> {
    return this.#bounded((store) => store.rewrapTenantKey(from, next))
  }

  currentMaster(): Promise<string | null> {
    return this.#bounded((store) => store.currentMaster())
  }

  setCurrentMaster(expected: string | null, next: string): Promise<boolean> {
    return this.#bounded((store) => store.setCurrentMaster(expected, next))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]()
  }

  async #bounded<Result>(call: (store: KeyStore) => Promise<Result>): Promise<Result> {
    if (this.#pending >= this.#pendingMax)
      throw new StoreFailure('not-applied', `${this.#pending} calls are waiting for the key store`)
    this.#pending++
    // A call that never answers still holds its place: otherwise a dead store would gather calls without end.
    const running = call(this.#store).finally(() => this.#pending--)
    return within(
      this.#timeoutMs,
      running,
      () => new StoreFailure('unknown', `the key store did not answer within ${this.#timeoutMs} ms`),
    )
  }
}
