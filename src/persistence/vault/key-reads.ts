import type { KeyStore, StoredKeys } from './key-store-port.ts'

/** Of one statement; beyond them there are several, side by side. */
const RECORDS_MAX = 100

type Found = ReadonlyMap<string, StoredKeys>
type Batch = { readonly records: Set<string>; readonly read: Promise<Found> }

/**
 * What is asked for in one turn is read at once: a phone that takes fifty messages of fifty exchanges costs the key store a
 * question or two. A read never begins before it was asked for, so what another node has erased by then is gone.
 */
export class KeyReads {
  readonly #store: Pick<KeyStore, 'readKeys' | 'readKeysOf'>
  #next: Batch | null = null

  constructor(store: Pick<KeyStore, 'readKeys' | 'readKeysOf'>) {
    this.#store = store
  }

  async read(record: string): Promise<StoredKeys> {
    const batch = (this.#next ??= this.#begin())
    batch.records.add(record)
    return (await batch.read).get(record) ?? []
  }

  #begin(): Batch {
    const records = new Set<string>()
    return { records, read: Promise.resolve().then(() => this.#readAll([...records])) }
  }

  async #readAll(records: readonly string[]): Promise<Found> {
    this.#next = null
    const [first, ...more] = records
    if (first !== undefined && more.length === 0) return new Map([[first, await this.#store.readKeys(first)]])
    const parts = []
    for (let at = 0; at < records.length; at += RECORDS_MAX)
      parts.push(this.#store.readKeysOf(records.slice(at, at + RECORDS_MAX)))
    return new Map((await Promise.all(parts)).flatMap((part) => [...part]))
  }
}
