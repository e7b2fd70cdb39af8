import {
  KeyGone,
  KeyLost,
  KeyUnknown,
  LostSeal,
  type KeyParent,
  type RecordSeal,
  type Vault,
} from '../../ports/vault.ts'
import { decrypt, encrypt, newKey, newKeyId } from './key-crypto.ts'
import { KeyReads } from './key-reads.ts'
import { ErasedSeal, KeyCache, RecordKey, type NamedKey } from './record-key.ts'
import type { DataKeyRow, Gone, KeyStore, StoredKeys } from './key-store-port.ts'
import { MasterKeyMissing, type MasterKeys } from './master-key-port.ts'
import { TenantKeys, type TenantKey } from './tenant-keys.ts'

export type KeyVaultOptions = {
  readonly store: KeyStore
  readonly masters: MasterKeys
  /** Bounds of the keys that stay in memory after their last holder has dropped them. */
  readonly cacheKeysMax: number
  readonly cacheLifetimeMs: number
  readonly monotonicMs: () => number
  /** Other nodes erase in the same store; left out where the store is this process's own. */
  readonly isShared?: boolean
}

const SWEEPS_PER_LIFETIME = 4

/** The vault over any key store. Each key is wrapped by the one above: record, connection, tenant, master. */
export class KeyVault implements Vault {
  readonly #store: KeyStore
  /** What fails for one record fails for no other. */
  readonly #alone: ReadKeys
  readonly #together: ReadKeys
  readonly #masters: MasterKeys
  readonly #tenants: TenantKeys
  readonly #isShared: boolean
  readonly #cache: KeyCache<RecordKey>
  readonly #loads = new Map<string, Load>()
  readonly #sweep: NodeJS.Timeout

  constructor({
    store,
    masters,
    cacheKeysMax,
    cacheLifetimeMs,
    monotonicMs,
    isShared = false,
  }: KeyVaultOptions) {
    const tenantKeys = new KeyCache<TenantKey>(cacheKeysMax, cacheLifetimeMs, monotonicMs)
    this.#store = store
    this.#alone = (record) => store.readKeys(record)
    const reads = new KeyReads(store)
    this.#together = (record) => reads.read(record)
    this.#masters = masters
    this.#isShared = isShared
    this.#tenants = new TenantKeys(store, masters, tenantKeys)
    this.#cache = new KeyCache(cacheKeysMax, cacheLifetimeMs, monotonicMs)
    this.#sweep = setInterval(() => {
      this.#cache.evictExpired()
      tenantKeys.evictExpired()
    }, cacheLifetimeMs / SWEEPS_PER_LIFETIME).unref()
  }

  async create(record: string, { tenant, connection }: KeyParent): Promise<RecordSeal> {
    if (connection === record) throw new RangeError(`${record} can't hang below itself`)
    const parent = connection === null ? null : await this.#find(connection)
    if (parent === 'erased') throw new KeyGone(connection ?? record)
    if (parent === 'lost') throw new KeyLost(connection ?? record)
    const key: NamedKey = { id: newKeyId(), root: newKey(), sealing: null }
    const place = { record, keyId: key.id, tenant, connection, parentKeyId: parent?.keyId ?? null }
    const above = parent ?? (await this.#tenantAbove(record, tenant))
    const others = await this.#store.insertKey(wrapDataKey(above, place, key.root))
    if (others === 'erased') throw new KeyGone(record)
    if (others === 'lost') throw new KeyLost(record)
    // Something may be sealed with them: one that is about to ask for the record may have made one, or its owner before.
    if (connection !== null && others.length > 0) await this.#findAbove(connection, others, this.#alone)
    return this.#share(record, tenant, parent, [key, ...unwrapped(above, others)])
  }

  open(record: string): Promise<RecordSeal> {
    return this.#open(record, this.#alone)
  }

  async #open(record: string, read: ReadKeys): Promise<RecordSeal> {
    const found = await this.#find(record, read)
    if (found === 'lost') return new LostSeal(record)
    return found === 'erased' ? new ErasedSeal(record) : found
  }

  async openElsewhere(record: string): Promise<RecordSeal> {
    if (!this.#isShared) return this.open(record)
    await this.#lookAgain(record)
    return this.#open(record, this.#together)
  }

  async makeTenant(tenant: string): Promise<void> {
    await this.#tenants.findOrMake(tenant)
  }

  async openTenant(tenant: string): Promise<RecordSeal> {
    const key = await this.#tenants.getUnlessGone(tenant)
    if (key === 'lost') throw new KeyLost(tenant)
    return key === 'erased' ? new ErasedSeal(tenant) : key
  }

  async eraseTenant(tenant: string): Promise<void> {
    await this.#tenants.erase(tenant)
    const below = [...this.#cache.entries()].filter((key) => key.tenant === tenant)
    for (const { record } of below) this.#drop(record)
  }

  async erase(record: string): Promise<void> {
    this.#drop(record)
    await this.#store.eraseKeys(record)
    // A reader that asked the store just before the deletion may have put the key back into memory.
    this.#drop(record)
  }

  async cleaned(): Promise<void> {
    await this.#store.cleanLog()
  }

  erasedElsewhere(record: string): void {
    this.#drop(record)
  }

  async fingerprint(tenant: string, text: string): Promise<string> {
    return (await this.#tenants.get(tenant)).fingerprint(text)
  }

  async probe(): Promise<void> {
    const current = await this.#store.currentMaster()
    if (current === null || (await this.#masters.ids()).includes(current)) return
    await this.#masters.refresh()
    if (!(await this.#masters.ids()).includes(current))
      throw new MasterKeyMissing(current, 'the master key file')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweep)
    this.#cache.clear()
    await this.#store[Symbol.asyncDispose]()
  }

  /** An organisation begins with its own record; below one that exists nothing makes it a second key. */
  #tenantAbove(record: string, tenant: string): Promise<TenantKey> {
    return record === tenant ? this.#tenants.findOrMake(tenant) : this.#tenants.get(tenant)
  }

  async #find(record: string, read: ReadKeys = this.#alone): Promise<RecordKey | Gone> {
    return this.#cache.fresh(record) ?? (await this.#findInStore(record, read))
  }

  async #findInStore(record: string, read: ReadKeys): Promise<RecordKey | Gone> {
    const running = this.#loads.get(record)
    if (running !== undefined) return await running.promise
    const load: Load = { overtaken: false, promise: Promise.resolve('erased') }
    load.promise = this.#load(record, load, read).finally(() => this.#loads.delete(record))
    this.#loads.set(record, load)
    return await load.promise
  }

  /** Reads again when an erasure came in between, because the rows that were read may be those of the deleted key. */
  async #load(record: string, load: Load, read: ReadKeys): Promise<RecordKey | Gone> {
    for (;;) {
      load.overtaken = false
      const found = await this.#read(record, read)
      if (load.overtaken) continue
      if (typeof found !== 'string') return this.#share(record, found.tenant, found.parent, found.keys)
      this.#drop(record)
      return found
    }
  }

  /** Only what the store says of it is gone; a key that is not there is an error. */
  async #read(record: string, read: ReadKeys): Promise<Found | Gone> {
    const rows = await read(record)
    if (typeof rows === 'string') return rows
    const [first] = rows
    if (first === undefined) throw new KeyUnknown(record)
    const parent = first.connection === null ? null : await this.#findAbove(first.connection, rows, read)
    if (typeof parent === 'string') return parent
    const above = parent ?? (await this.#tenants.getUnlessGone(first.tenant))
    if (typeof above === 'string') return above
    const keys = unwrapped(above, rows)
    if (keys.length === 0) throw new KeyUnknown(record)
    return { tenant: first.tenant, parent, keys }
  }

  /** One that wraps any of the rows may have come since the record above was read. */
  async #findAbove(
    connection: string,
    rows: readonly DataKeyRow[],
    read: ReadKeys,
  ): Promise<RecordKey | Gone> {
    const found = await this.#find(connection, read)
    if (typeof found === 'string' || rows.every(({ parentKeyId }) => found.has(parentKeyId ?? '')))
      return found
    return this.#findInStore(connection, read)
  }

  /** All holders of the record's key share one object, so that wiping it reaches them all. */
  #share(record: string, tenant: string, parent: RecordKey | null, keys: readonly NamedKey[]): RecordKey {
    const living = this.#cache.living(record)
    const shared = living === null || living.gone ? new RecordKey(record, tenant, parent, keys) : living
    shared.adopt(keys)
    this.#cache.put(record, shared)
    return shared
  }

  /**
   * A key in memory would hold for its whole lifetime after another node has erased it, or the one above it; and one that
   * another node has made since would be unknown here for as long. Which one is above never changes, so where it is known
   * both are asked for at once.
   */
  async #lookAgain(record: string): Promise<void> {
    const known = this.#cache.living(record)?.parent?.record ?? null
    const [rows] = await Promise.all([this.#together(record), known === null ? null : this.#lookAgain(known)])
    if (typeof rows === 'string') return this.#drop(record)
    const connection = rows[0]?.connection ?? null
    if (connection !== null && connection !== known) await this.#lookAgain(connection)
    const held = this.#cache.fresh(record)
    if (held !== null && !rows.every(({ keyId }) => held.has(keyId)))
      await this.#findInStore(record, this.#together)
  }

  #drop(record: string): void {
    const load = this.#loads.get(record)
    if (load !== undefined) load.overtaken = true
    const key = this.#cache.living(record)
    if (key === null) return
    this.#cache.remove(record)
    if (key.hasChildren) {
      for (const child of this.#cache.entries()) if (child.parent === key) this.#drop(child.record)
    }
    key.wipe()
  }
}

type ReadKeys = (record: string) => Promise<StoredKeys>
type Load = { promise: Promise<RecordKey | Gone>; overtaken: boolean }
type Found = {
  readonly tenant: string
  readonly parent: RecordKey | null
  readonly keys: readonly NamedKey[]
}

type Above = RecordKey | TenantKey
type Place = Omit<DataKeyRow, 'wrapped'>

export const wrapDataKey = (above: Above, place: Place, root: Buffer): DataKeyRow => {
  const wrapping = wrappingKey(above, place)
  if (wrapping === null) throw new KeyGone(place.connection ?? place.tenant)
  return { ...place, wrapped: encrypt(wrapping, root, contextOf(place)) }
}

/** Those of the keys that the record above can open. */
const unwrapped = (above: Above, rows: readonly DataKeyRow[]): readonly NamedKey[] =>
  rows.flatMap((row): NamedKey[] => {
    const root = unwrapDataKey(above, row)
    return root === null ? [] : [{ id: row.keyId, root, sealing: null }]
  })

/** Null when the record above has no such key. */
export const unwrapDataKey = (above: Above, row: DataKeyRow): Buffer | null => {
  const wrapping = wrappingKey(above, row)
  if (wrapping === null) return null
  const root = decrypt(wrapping, row.wrapped, contextOf(row))
  if (root === null) throw new Error(`The key store is damaged: the key of ${row.record} does not open.`)
  return root
}

const wrappingKey = (above: Above, { record, parentKeyId }: Place): Buffer | null =>
  above instanceof RecordKey ? above.wrappingKey(parentKeyId ?? '', record) : above.wrappingKey(record)

/** The ciphertext is bound to its row: a wrapped key copied into another row does not open. */
const contextOf = ({ record, keyId, tenant, connection, parentKeyId }: Place): string =>
  JSON.stringify([record, keyId, tenant, connection, parentKeyId])
