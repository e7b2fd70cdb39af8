import { createHmac } from 'node:crypto'
import { KeyGone, KeyUnknown, type RecordSeal } from '../../ports/vault.ts'
import { decrypt, deriveKey, encrypt } from './key-crypto.ts'

/**
 * The form of a sealed field: one character of format, eight of key id, then nonce, ciphertext and tag in base64url.
 */
const FORMAT = 'A'
const KEY_ID_CHARS = 8
const HEAD_CHARS = FORMAT.length + KEY_ID_CHARS

export type NamedKey = { readonly id: string; readonly root: Buffer; sealing: Buffer | null }

/**
 * The data keys of one record while it is in memory. The seal that its owner holds is this very object, so erasing the
 * record or the connection above it reaches every holder at once.
 */
export class RecordKey implements RecordSeal {
  readonly record: string
  readonly tenant: string
  readonly parent: RecordKey | null
  /** Usually one key; rivals that created the record at the same time each left theirs. The first one seals. */
  #keys: NamedKey[]
  /** True once this key has wrapped or unwrapped a key below it. */
  hasChildren = false

  constructor(record: string, tenant: string, parent: RecordKey | null, keys: readonly NamedKey[]) {
    this.record = record
    this.tenant = tenant
    this.parent = parent
    this.#keys = [...keys]
  }

  get gone(): boolean {
    return this.#keys.length === 0 || (this.parent?.gone ?? false)
  }

  /** The id of the key that seals and wraps new data. */
  get keyId(): string {
    const [first] = this.#keys
    if (first === undefined || this.gone) throw new KeyGone(this.record)
    return first.id
  }

  seal(plain: string, context: string): string {
    const key = this.#find(this.keyId)
    if (key === null) throw new KeyGone(this.record)
    return `${FORMAT}${key.id}${encrypt(sealingKey(key), plain, this.#bound(context)).toString('base64url')}`
  }

  open(sealed: string, context: string): string | null {
    if (this.gone) return null
    if (!sealed.startsWith(FORMAT)) throw new Error(`${this.record} has a sealed field of an unknown format`)
    const key = this.#find(sealed.slice(FORMAT.length, HEAD_CHARS))
    if (key === null) throw new KeyUnknown(this.record)
    const box = Buffer.from(sealed.slice(HEAD_CHARS), 'base64url')
    const plain = decrypt(sealingKey(key), box, this.#bound(context))
    if (plain === null) throw new Error(`${this.record} has a sealed field that was altered or moved`)
    return plain.toString()
  }

  fingerprint(text: string): string {
    const key = this.#find(this.keyId)
    if (key === null) throw new KeyGone(this.record)
    return createHmac('sha256', deriveKey(key.root, 'fingerprint')).update(text).digest('base64url')
  }

  /** The key that wraps the data key of a record below; null when this record no longer has the key of that id. */
  wrappingKey(keyId: string, child: string): Buffer | null {
    const key = this.gone ? null : this.#find(keyId)
    this.hasChildren = true
    return key === null ? null : deriveKey(key.root, `wrap ${child}`)
  }

  /** Takes in keys of the same record that another creation left, or that this creation just made durable. */
  adopt(keys: readonly NamedKey[]): void {
    for (const key of keys) if (this.#find(key.id) === null) this.#keys.push(key)
  }

  wipe(): void {
    for (const { root, sealing } of this.#keys) {
      root.fill(0)
      sealing?.fill(0)
    }
    this.#keys = []
  }

  #find(id: string): NamedKey | null {
    return this.#keys.find((key) => key.id === id) ?? null
  }

  /** Record and context are authenticated; the length keeps one pair from reading as another. */
  #bound(context: string): string {
    return `${this.record.length} ${this.record} ${context}`
  }
}

const sealingKey = (key: NamedKey): Buffer => (key.sealing ??= deriveKey(key.root, 'seal'))

/** The seal of an erased record: it opens nothing and refuses to seal. */
export class ErasedSeal implements RecordSeal {
  readonly #record: string
  constructor(record: string) {
    this.#record = record
  }
  seal(): string {
    throw new KeyGone(this.#record)
  }
  open(): null {
    return null
  }
  fingerprint(): string {
    throw new KeyGone(this.#record)
  }
}

/**
 * A cache whose entries may be in use after they leave it: as long as an evicted object is in use, the same object is
 * found again.
 */
export class KeyCache<Entry extends object> {
  readonly #countMax: number
  readonly #lifetimeMs: number
  readonly #monotonicMs: () => number
  /** In the order of their last use. */
  readonly #recent = new Map<string, { entry: Entry; readonly checkedMs: number }>()
  readonly #evicted = new Map<string, WeakRef<Entry>>()
  readonly #collected = new FinalizationRegistry<string>((id) => {
    if (this.#evicted.get(id)?.deref() === undefined) this.#evicted.delete(id)
  })

  constructor(countMax: number, lifetimeMs: number, monotonicMs: () => number) {
    this.#countMax = countMax
    this.#lifetimeMs = lifetimeMs
    this.#monotonicMs = monotonicMs
  }

  get size(): number {
    return this.#recent.size
  }

  /** The entry if it was checked against the store within its lifetime; null when the store must be asked. */
  fresh(id: string): Entry | null {
    const held = this.#recent.get(id)
    if (held === undefined || this.#isExpired(held.checkedMs)) return null
    this.#recent.delete(id)
    this.#recent.set(id, held)
    return held.entry
  }

  /** The object that all holders share, however long ago it was checked. */
  living(id: string): Entry | null {
    return this.#recent.get(id)?.entry ?? this.#evicted.get(id)?.deref() ?? null
  }

  /** Stores an entry that was just checked against the store, or made. */
  put(id: string, entry: Entry): void {
    this.#recent.delete(id)
    this.#evicted.delete(id)
    this.#recent.set(id, { entry, checkedMs: this.#monotonicMs() })
    if (this.#recent.size > this.#countMax) {
      for (const oldest of this.#recent.keys()) {
        this.#evict(oldest)
        break
      }
    }
  }

  remove(id: string): void {
    this.#recent.delete(id)
    this.#evicted.delete(id)
  }

  entries(): Iterable<Entry> {
    return this.#recent.values().map(({ entry }) => entry)
  }

  /** Removes keys from memory after their lifetime, also those that no one asks for. */
  evictExpired(): void {
    for (const [id, { checkedMs }] of this.#recent) if (this.#isExpired(checkedMs)) this.#evict(id)
  }

  clear(): void {
    this.#recent.clear()
    this.#evicted.clear()
  }

  #isExpired(checkedMs: number): boolean {
    return this.#monotonicMs() - checkedMs >= this.#lifetimeMs
  }

  #evict(id: string): void {
    const held = this.#recent.get(id)
    if (held === undefined) return
    this.#recent.delete(id)
    this.#evicted.set(id, new WeakRef(held.entry))
    this.#collected.register(held.entry, id)
  }
}
