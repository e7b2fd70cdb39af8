import type { KeyStore } from '../../../../src/persistence/vault/key-store-port.ts'

/** A real key store, empty at first, that can be closed and opened again over the same data. */
export interface KeyStoreUnderTest extends AsyncDisposable {
  readonly store: KeyStore
  /** A second one over the same data, as another node or process has it. */
  another(): Promise<KeyStore>
  reopen(): Promise<void>
}
