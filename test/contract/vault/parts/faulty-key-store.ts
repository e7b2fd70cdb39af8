import type { KeyStore } from '../../../../src/persistence/vault/key-store-port.ts'
import { StoreFailure } from '../../../../src/persistence/store-port.ts'

export type KeyStoreMethod = Exclude<keyof KeyStore, symbol>
export type Fault = 'fail-before' | 'fail-after' | 'slow' | 'hang'

/** Those that a running service calls; a rotation calls the others. */
export const SERVING_METHODS: readonly KeyStoreMethod[] = [
  'insertKey',
  'readKeys',
  'eraseKeys',
  'cleanLog',
  'readTenantKey',
  'insertTenantKey',
  'currentMaster',
]
export const FAULTS: readonly Fault[] = ['fail-before', 'fail-after', 'slow', 'hang']

const SLOW_MS = 40

/**
 * A real store around which single calls go wrong, each in one of the ways a store over a network can. Disposing of it
 * leaves the real one open.
 */
export class FaultyKeyStore {
  readonly store: KeyStore
  readonly #planned: { method: KeyStoreMethod; fault: Fault; skip: number }[] = []

  constructor(real: KeyStore) {
    this.store = new Proxy(real, {
      get: (_, property) => {
        const value: unknown = Reflect.get(real, property, real)
        if (typeof value !== 'function') return value
        if (typeof property === 'symbol') return async () => {}
        const call = value.bind(real) as (...args: unknown[]) => Promise<unknown>
        return (...args: unknown[]) => this.#run(property as KeyStoreMethod, () => call(...args))
      },
    })
  }

  /** The next call of the method, or the one after `skip` more, goes wrong. */
  plan(method: KeyStoreMethod, fault: Fault, skip = 0): void {
    this.#planned.push({ method, fault, skip })
  }

  get pending(): number {
    return this.#planned.length
  }

  async #run(method: KeyStoreMethod, call: () => Promise<unknown>): Promise<unknown> {
    const fault = this.#due(method)
    if (fault === 'fail-before') throw new StoreFailure('not-applied', `${method}: refused`)
    if (fault === 'hang') return await new Promise(() => {})
    if (fault === 'slow') await new Promise((resolve) => setTimeout(resolve, SLOW_MS))
    const result = await call()
    if (fault === 'fail-after')
      throw new StoreFailure('unknown', `${method}: applied, but the answer was lost`)
    return result
  }

  #due(method: KeyStoreMethod): Fault | null {
    const index = this.#planned.findIndex((planned) => planned.method === method)
    const planned = this.#planned[index]
    if (planned === undefined) return null
    if (planned.skip > 0) {
      planned.skip--
      return null
    }
    this.#planned.splice(index, 1)
    return planned.fault
  }
}
