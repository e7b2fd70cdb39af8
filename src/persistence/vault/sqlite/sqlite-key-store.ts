import { DatabaseThread } from '../../sqlite/database-thread.ts'
import type { DataKeyRow, KeyStore, TenantKeyInsert, TenantKeyRow } from '../key-store-port.ts'
import type { KeyOperations } from './key-operations.ts'
import { fromPortable, toPortable } from './portable-keys.ts'

/** Keys in an SQLite file apart from the journal. Calls during a commit become the next group. */
export class SqliteKeyStore implements KeyStore {
  readonly rewrapsAtOnce = 100
  readonly #thread: DatabaseThread<KeyOperations>

  private constructor(thread: DatabaseThread<KeyOperations>) {
    this.#thread = thread
  }

  static async open(file: string): Promise<SqliteKeyStore> {
    return new SqliteKeyStore(
      await DatabaseThread.open<KeyOperations>(new URL('./key-file-thread.ts', import.meta.url), file),
    )
  }

  readonly insertKey: KeyStore['insertKey'] = (key) => this.#thread.call('insertKey', toPortable(key))
  readonly eraseKeys: KeyStore['eraseKeys'] = (record) => this.#thread.call('eraseKeys', record)
  readonly currentMaster: KeyStore['currentMaster'] = () => this.#thread.call('currentMaster')
  readonly setCurrentMaster: KeyStore['setCurrentMaster'] = (...args) =>
    this.#thread.call('setCurrentMaster', ...args)
  readonly rewrapTenantKey: KeyStore['rewrapTenantKey'] = (from, next) =>
    this.#thread.call('rewrapTenantKey', toPortable(from), toPortable(next))

  async readKeys(record: string): Promise<readonly DataKeyRow[]> {
    return (await this.#thread.call('readKeys', record)).map(fromPortable)
  }

  async readTenantKey(tenant: string): Promise<TenantKeyRow | null> {
    const row = await this.#thread.call('readTenantKey', tenant)
    return row === null ? null : fromPortable(row)
  }

  async insertTenantKey(key: TenantKeyRow): Promise<TenantKeyInsert> {
    const outcome = await this.#thread.call('insertTenantKey', toPortable(key))
    return outcome.is === 'exists' ? { is: 'exists', key: fromPortable(outcome.key) } : outcome
  }

  async listTenantKeys(after: string | null, limit: number): Promise<readonly TenantKeyRow[]> {
    return (await this.#thread.call('listTenantKeys', after, limit)).map(fromPortable)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread[Symbol.asyncDispose]()
  }
}
