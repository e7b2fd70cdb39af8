import { DatabaseThread } from '../../sqlite/database-thread.ts'
import type { KeyStore } from '../key-store-port.ts'
import type { KeyOperations } from './key-operations.ts'
import { fromPortable, toPortable } from './portable-keys.ts'

const SCRIPT = new URL('./key-file-thread.ts', import.meta.url)

/** Keys in an SQLite file apart from the journal. Calls during a commit become the next group. */
export const openSqliteKeyStore = async (file: string): Promise<KeyStore> => {
  const thread = await DatabaseThread.open<KeyOperations>(SCRIPT, file)
  return {
    ...thread.functions('eraseKeys', 'eraseTenantKey', 'markLost', 'currentMaster', 'setCurrentMaster'),
    ...thread.functions('cleanLog', 'readMark', 'setMark', 'countedMark'),
    rewrapsAtOnce: 100,
    insertKey: (key) => thread.call('insertKey', toPortable(key)),
    readKeys: async (record) => {
      const stored = await thread.call('readKeys', record)
      return typeof stored === 'string' ? stored : stored.map(fromPortable)
    },
    readTenantKey: async (tenant) => {
      const row = await thread.call('readTenantKey', tenant)
      return row === null ? null : fromPortable(row)
    },
    insertTenantKey: async (key) => {
      const outcome = await thread.call('insertTenantKey', toPortable(key))
      return outcome.is === 'exists' ? { is: 'exists', key: fromPortable(outcome.key) } : outcome
    },
    listTenantKeys: async (after, limit) =>
      (await thread.call('listTenantKeys', after, limit)).map(fromPortable),
    rewrapTenantKey: (from, next) => thread.call('rewrapTenantKey', toPortable(from), toPortable(next)),
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}
