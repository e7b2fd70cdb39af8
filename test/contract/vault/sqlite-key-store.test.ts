import { join } from 'node:path'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openSqliteKeyStore } from '../../../src/persistence/vault/sqlite/sqlite-key-store.ts'
import { describeKeyStore } from './key-store-suite.ts'
import type { KeyStoreUnderTest } from './parts/key-store-under-test.ts'
import { describeVault } from './vault-suite.ts'

const open = async (): Promise<KeyStoreUnderTest> => {
  const folder = temporaryFolder('vault')
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
    },
  }
}

describeKeyStore('SQLite', open)
describeVault('SQLite', open)
