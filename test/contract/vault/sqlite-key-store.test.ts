import { join } from 'node:path'
import { SqliteKeyStore } from '../../../src/persistence/vault/sqlite/sqlite-key-store.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { describeKeyStore } from './key-store-suite.ts'
import type { KeyStoreUnderTest } from './parts/key-store-under-test.ts'
import { describeVault } from './vault-suite.ts'

const open = async (): Promise<KeyStoreUnderTest> => {
  const folder = temporaryFolder('vault')
  const file = join(folder, 'keys.sqlite')
  let store = await SqliteKeyStore.open(file)
  return {
    get store() {
      return store
    },
    another: () => SqliteKeyStore.open(file),
    reopen: async () => {
      await store[Symbol.asyncDispose]()
      store = await SqliteKeyStore.open(file)
    },
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]()
    },
  }
}

describeKeyStore('SQLite', open)
describeVault('SQLite', open)
