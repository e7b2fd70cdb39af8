import { join } from 'node:path'
import type { KeyStore } from '../../../../src/persistence/vault/key-store-port.ts'
import { KeyVault } from '../../../../src/persistence/vault/key-vault.ts'
import { FileMasterKeys } from '../../../../src/persistence/vault/file-master-keys.ts'
import { createMasterKeyFile, newMasterKey } from '../../../../src/persistence/vault/master-key-file.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { withAnyTenant } from './any-tenant.ts'
import { openSqliteKeyStore } from '../../../../src/persistence/vault/sqlite/sqlite-key-store.ts'

type Bounds = { readonly keysMax?: number; readonly lifetimeMs?: number; readonly isShared?: boolean }

/** A folder with a master key file and an SQLite key store whose current master key is set. */
export class VaultFolder {
  readonly folder = temporaryFolder('vault')
  readonly keyFile = join(this.folder, 'vault.key')
  readonly storeFile = join(this.folder, 'keys.sqlite')
  readonly master = newMasterKey()
  readonly clock = { ms: 0 }
  readonly #stores: KeyStore[] = []

  async openStore(): Promise<KeyStore> {
    const store = await openSqliteKeyStore(this.storeFile)
    this.#stores.push(store)
    await store.setCurrentMaster(null, this.master.id)
    return store
  }

  makeKeyFile(): FileMasterKeys {
    createMasterKeyFile(this.keyFile, this.master)
    return new FileMasterKeys(this.keyFile)
  }

  /** On its own caches; the store stays open until the folder is closed. */
  vault(store: KeyStore, bounds: Bounds = {}): KeyVault {
    return withAnyTenant(this.strict(store, bounds))
  }

  /** One in which an organisation begins with its own record alone. */
  strict(store: KeyStore, bounds: Bounds = {}): KeyVault {
    return new KeyVault({
      store,
      masters: new FileMasterKeys(this.keyFile),
      cacheKeysMax: bounds.keysMax ?? 100,
      cacheLifetimeMs: bounds.lifetimeMs ?? 60_000,
      monotonicMs: () => this.clock.ms,
      isShared: bounds.isShared ?? false,
    })
  }

  async close(): Promise<void> {
    for (const store of this.#stores) await store[Symbol.asyncDispose]()
  }
}
