import { StoreFailure } from '../store-port.ts'
import type { KeyCache } from './key-cache.ts'
import { newKey } from './key-crypto.ts'
import type { KeyStore, TenantKeyRow } from './key-store-port.ts'
import type { MasterKeys } from './master-key-port.ts'
import { unwrapTenantKey, wrapTenantKey } from './master-key-use.ts'
import { TenantKey } from './tenant-key.ts'

/** More than two rotations in the time of one creation mean that something else is wrong. */
const ATTEMPTS_MAX = 4

/** Tenants' keys, made on demand; of several makers, on any node, the first one's key is everybody's. */
export class TenantKeys {
  readonly #store: KeyStore
  readonly #masters: MasterKeys
  readonly #cache: KeyCache<TenantKey>
  readonly #loading = new Map<string, Promise<TenantKey | null>>()
  readonly #making = new Map<string, Promise<TenantKey>>()

  constructor(store: KeyStore, masters: MasterKeys, cache: KeyCache<TenantKey>) {
    this.#store = store
    this.#masters = masters
    this.#cache = cache
  }

  /** From memory only; for the hot path. */
  fresh(tenant: string): TenantKey | null {
    return this.#cache.fresh(tenant)
  }

  async find(tenant: string): Promise<TenantKey | null> {
    return this.#cache.fresh(tenant) ?? (await once(this.#loading, tenant, () => this.#load(tenant)))
  }

  async findOrMake(tenant: string): Promise<TenantKey> {
    return (await this.find(tenant)) ?? (await once(this.#making, tenant, () => this.#make(tenant)))
  }

  async #load(tenant: string): Promise<TenantKey | null> {
    const row = await this.#store.readTenantKey(tenant)
    return row === null ? null : await this.#unwrap(row)
  }

  async #make(tenant: string): Promise<TenantKey> {
    const root = newKey()
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const master = await this.#store.currentMaster()
      if (master === null) break
      const row = await wrapTenantKey(this.#masters, master, tenant, root)
      const outcome = await this.#store.insertTenantKey(row)
      if (outcome.is === 'exists') return await this.#unwrap(outcome.key)
      if (outcome.is === 'written') return this.#keep(tenant, root)
    }
    throw new StoreFailure('not-applied', `the key store did not settle on a master key for ${tenant}`)
  }

  async #unwrap(row: TenantKeyRow): Promise<TenantKey> {
    return this.#keep(row.tenant, await unwrapTenantKey(this.#masters, row))
  }

  #keep(tenant: string, root: Buffer): TenantKey {
    const key = new TenantKey(tenant, root)
    this.#cache.put(tenant, key)
    return key
  }
}

/** Callers that want the same at the same time wait for one answer. */
const once = <Result>(
  pending: Map<string, Promise<Result>>,
  id: string,
  start: () => Promise<Result>,
): Promise<Result> => {
  const running = pending.get(id)
  if (running !== undefined) return running
  const promise = start().finally(() => pending.delete(id))
  pending.set(id, promise)
  return promise
}
