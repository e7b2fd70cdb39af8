import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteKeyStore } from '../../../src/persistence/vault/sqlite/sqlite-key-store.ts'
import { describeKeyStore } from './key-store-suite.ts'
import type { KeyStoreUnderTest } from './parts/key-store-under-test.ts'
import { describeVault } from './vault-suite.ts'

const open = async (): Promise<KeyStoreUnderTest> => {
  const folder = mkdtempSync(join(tmpdir(), 'vault-'))
  const file = join(folder, 'keys.sqlite')
  let store = await openSqliteKeyStore(file)
  return {
    get store() {
      return store
    },
    another: () => openSqliteKeyStore(file),
    reopen: async () => {
      await store[Symbol.asyncDispose]()
      store = await openSqliteKeyStore(file)
    },
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true })
    },
  }
}

describeKeyStore('SQLite', open)
describeVault('SQLite', open)
