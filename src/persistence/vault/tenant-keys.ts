import { createHmac } from 'node:crypto'
import { StoreFailure } from '../store-port.ts'
import type { KeyCache } from './record-key.ts'
import { decrypt, deriveKey, encrypt, newKey } from './key-crypto.ts'
import type { Gone, KeyStore, TenantKeyRow } from './key-store-port.ts'
import type { MasterKeys } from './master-key-port.ts'
import { unwrapTenantKey, wrapTenantKey } from './master-key-use.ts'
import { KeyGone, KeyLost, KeyUnknown, type RecordSeal } from '../../ports/vault.ts'

/** More than two rotations within one creation mean that something else is wrong. */
const ATTEMPTS_MAX = 4

/**
 * Tenants' keys, created where a tenant begins. When several nodes create one at the same time, the first one's key is used by all.
 */
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

  async find(tenant: string): Promise<TenantKey | null> {
    return this.#cache.fresh(tenant) ?? (await once(this.#loading, tenant, () => this.#load(tenant)))
  }

  /** Of a tenant that exists, so a missing key is never made. */
  async get(tenant: string): Promise<TenantKey> {
    const key = await this.getUnlessGone(tenant)
    if (key === 'lost') throw new KeyLost(tenant)
    if (key === 'erased') throw new KeyGone(tenant)
    return key
  }

  async getUnlessGone(tenant: string): Promise<TenantKey | Gone> {
    const key = await this.find(tenant)
    if (key !== null) return key
    const found = await this.#store.readKeys(tenant)
    if (typeof found === 'string') return found
    throw new KeyUnknown(tenant)
  }

  /** The word comes first: a key that is not there must never look like one that was mislaid. */
  async erase(tenant: string): Promise<void> {
    await this.#store.eraseKeys(tenant)
    await this.#store.eraseTenantKey(tenant)
    this.#cache.living(tenant)?.wipe()
    this.#cache.remove(tenant)
  }

  async findOrMake(tenant: string): Promise<TenantKey> {
    return (await this.find(tenant)) ?? (await once(this.#making, tenant, () => this.#make(tenant)))
  }

  async #load(tenant: string): Promise<TenantKey | null> {
    const row = await this.#store.readTenantKey(tenant)
    return row === null ? null : await this.#unwrap(row)
  }

  /** One that was erased never comes again: the word of it is read after it was found to be missing. */
  async #make(tenant: string): Promise<TenantKey> {
    if ((await this.#store.readKeys(tenant)) === 'erased') throw new KeyGone(tenant)
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

/** Callers that ask for the same at the same time share one answer. */
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

const FORMAT = 'T'

/**
 * A tenant's key in memory: it wraps connection and record keys, seals the tenant's secrets, and makes fingerprints.
 */
export class TenantKey implements RecordSeal {
  readonly tenant: string
  readonly #root: Buffer
  readonly #fingerprinting: Buffer
  #isGone = false

  constructor(tenant: string, root: Buffer) {
    this.tenant = tenant
    this.#root = root
    this.#fingerprinting = deriveKey(root, 'fingerprint')
  }

  /** Those who hold it read null from here on, and seal nothing. */
  wipe(): void {
    this.#root.fill(0)
    this.#fingerprinting.fill(0)
    this.#isGone = true
  }

  get gone(): boolean {
    return this.#isGone
  }

  wrappingKey(record: string): Buffer {
    this.#checkThere()
    return deriveKey(this.#root, `wrap ${record}`)
  }

  fingerprint(text: string): string {
    this.#checkThere()
    return createHmac('sha256', this.#fingerprinting).update(text).digest('base64url')
  }

  /** The sealing key is derived per context: a tenant may have millions of secrets, each context has few. */
  seal(plain: string, context: string): string {
    this.#checkThere()
    return FORMAT + encrypt(this.#sealingKey(context), plain, this.#bound(context)).toString('base64url')
  }

  open(sealed: string, context: string): string | null {
    if (this.#isGone) return null
    const box = Buffer.from(sealed.slice(FORMAT.length), 'base64url')
    const plain = sealed.startsWith(FORMAT)
      ? decrypt(this.#sealingKey(context), box, this.#bound(context))
      : null
    if (plain === null) throw new Error(`${this.tenant} has a sealed secret that was altered or moved`)
    return plain.toString()
  }

  #checkThere(): void {
    if (this.#isGone) throw new KeyGone(this.tenant)
  }

  #sealingKey(context: string): Buffer {
    return deriveKey(this.#root, `seal ${context}`)
  }

  #bound(context: string): string {
    return `${this.tenant.length} ${this.tenant} ${context}`
  }
}
