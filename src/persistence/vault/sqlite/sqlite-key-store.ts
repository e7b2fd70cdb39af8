import { DatabaseThread } from '../../sqlite/database-thread.ts'
import type { Gone, KeyStore, StoredKeys } from '../key-store-port.ts'
import type { KeyOperations } from './key-operations.ts'
import { patientCleaning } from './patient-cleaning.ts'
import { fromPortable, type PortableDataKey, toPortable } from './portable-keys.ts'

const SCRIPT = new URL('./key-file-thread.ts', import.meta.url)

const keysFrom = (stored: readonly PortableDataKey[] | Gone): StoredKeys =>
  typeof stored === 'string' ? stored : stored.map(fromPortable)

/** Keys in an SQLite file apart from the journal. Calls during a commit become the next group. */
export const openSqliteKeyStore = async (file: string): Promise<KeyStore> => {
  const thread = await DatabaseThread.open<KeyOperations>(SCRIPT, file)
  const readKeys: KeyStore['readKeys'] = async (record) => keysFrom(await thread.call('readKeys', record))
  const cleanLog = patientCleaning(() => thread.call('cleanLog'))
  return {
    ...thread.functions('eraseKeys', 'markLost', 'currentMaster', 'setCurrentMaster'),
    ...thread.functions('readMark', 'setMark', 'countedMark'),
    cleanLog,
    rewrapsAtOnce: 100,
    insertKey: async (key) => keysFrom(await thread.call('insertKey', toPortable(key))),
    readKeys,
    readKeysOf: async (records) =>
      new Map(await Promise.all(records.map(async (record) => [record, await readKeys(record)] as const))),
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
    eraseTenantKey: async (tenant) => {
      await thread.call('eraseTenantKey', tenant)
      await cleanLog()
    },
    rewrapTenantKey: async (from, next) => {
      const isRewrapped = await thread.call('rewrapTenantKey', toPortable(from), toPortable(next))
      await cleanLog()
      return isRewrapped
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}
