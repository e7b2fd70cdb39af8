import { within } from '../../timing/within.ts'
import { StoreFailure } from '../store-port.ts'
import type { KeyStore } from './key-store-port.ts'

/** Limits the time of every call and the number of calls under way; both failures are retryable. */
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

  readonly insertKey: KeyStore['insertKey'] = (...args) => this.#bounded((store) => store.insertKey(...args))
  readonly readKeys: KeyStore['readKeys'] = (...args) => this.#bounded((store) => store.readKeys(...args))
  readonly eraseKeys: KeyStore['eraseKeys'] = (...args) => this.#bounded((store) => store.eraseKeys(...args))
  readonly readTenantKey: KeyStore['readTenantKey'] = (...args) =>
    this.#bounded((store) => store.readTenantKey(...args))
  readonly insertTenantKey: KeyStore['insertTenantKey'] = (...args) =>
    this.#bounded((store) => store.insertTenantKey(...args))
  readonly listTenantKeys: KeyStore['listTenantKeys'] = (...args) =>
    this.#bounded((store) => store.listTenantKeys(...args))
  readonly rewrapTenantKey: KeyStore['rewrapTenantKey'] = (...args) =>
    this.#bounded((store) => store.rewrapTenantKey(...args))
  readonly currentMaster: KeyStore['currentMaster'] = () => this.#bounded((store) => store.currentMaster())
  readonly setCurrentMaster: KeyStore['setCurrentMaster'] = (...args) =>
    this.#bounded((store) => store.setCurrentMaster(...args))

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#store[Symbol.asyncDispose]()
  }

  async #bounded<Result>(call: (store: KeyStore) => Promise<Result>): Promise<Result> {
    if (this.#pending >= this.#pendingMax)
      throw new StoreFailure('not-applied', `${this.#pending} calls are waiting for the key store`)
    this.#pending++
    // A call that never answers still counts as pending: otherwise a dead store would collect calls without end.
    const running = call(this.#store).finally(() => this.#pending--)
    return within(
      this.#timeoutMs,
      running,
      () => new StoreFailure('unknown', `the key store did not answer within ${this.#timeoutMs} ms`),
    )
  }
}
