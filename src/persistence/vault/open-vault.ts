import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'cassandra-driver'
import type { Config } from '../../config/config.ts'
import type { Vault } from '../../ports/vault.ts'
import { keyspaceOfKeys } from '../cassandra/migrate.ts'
import { CassandraSession } from '../cassandra/session.ts'
import { boundedKeyStore } from './bounded-key-store.ts'
import { CassandraKeyStore } from './cassandra/cassandra-key-store.ts'
import { FileMasterKeys } from './file-master-keys.ts'
import type { KeyStore } from './key-store-port.ts'
import { KeyVault, type KeyVaultOptions } from './key-vault.ts'
import { createMasterKeyFile, MasterKeyFileError, newMasterKey } from './master-key-file.ts'
import { MasterKeyMissing, type MasterKeys } from './master-key-port.ts'
import { openSqliteKeyStore } from './sqlite/sqlite-key-store.ts'

type VaultConfig = Pick<Config, 'storage' | 'cassandra'>

/** Far more than a healthy store has pending at once; beyond it callers get a retryable error. */
const STORE_CALLS_MAX = 16_384

/** The vault with its keys in the Cassandra of the journal, or in a file where there is no Cassandra. */
export const openConfiguredVault = async (
  config: VaultConfig,
  cassandra: Client | null,
  monotonicMs: () => number,
): Promise<Vault> =>
  await openVault(await openKeyStore(config, cassandra), {
    keyFile: keyFileOf(config),
    // A key file that the operator names must exist, and the nodes of a cluster must all have the same one.
    mayCreateKeyFile: cassandra === null && config.storage.vaultKeyFile === '',
    cacheKeysMax: config.storage.vaultCacheKeysMax,
    cacheLifetimeMs: config.storage.vaultCacheSeconds * 1_000,
    storeTimeoutMs: config.storage.vaultTimeoutMs,
    storePendingMax: STORE_CALLS_MAX,
    monotonicMs,
  })

export const openKeyStore = async (config: VaultConfig, cassandra: Client | null): Promise<KeyStore> =>
  cassandra === null
    ? await openSqliteKeyStore(join(config.storage.dataFolder, 'vault', 'keys.sqlite'))
    : new CassandraKeyStore(
        new CassandraSession(cassandra, config.cassandra),
        keyspaceOfKeys(config.cassandra.keyspace),
      )

export const keyFileOf = ({ storage }: VaultConfig): string =>
  storage.vaultKeyFile === '' ? join(storage.dataFolder, 'vault.key') : storage.vaultKeyFile

export type VaultSettings = Omit<KeyVaultOptions, 'store' | 'masters'> & {
  readonly keyFile: string
  /** True on a single machine, where the first start makes the key file. Nodes of a cluster must all be given the same one. */
  readonly mayCreateKeyFile: boolean
  readonly storeTimeoutMs: number
  readonly storePendingMax: number
}

/** The vault over any key store, which is closed with the vault, also when opening fails. */
export const openVault = async (store: KeyStore, settings: VaultSettings): Promise<Vault> => {
  try {
    const bounded = boundedKeyStore(store, {
      timeoutMs: settings.storeTimeoutMs,
      pendingMax: settings.storePendingMax,
    })
    const masters = await openMasterKeys(bounded, settings)
    return new KeyVault({ ...settings, store: bounded, masters })
  } catch (error) {
    await store[Symbol.asyncDispose]()
    throw error
  }
}

const openMasterKeys = async (
  store: KeyStore,
  { keyFile, mayCreateKeyFile }: VaultSettings,
): Promise<MasterKeys> => {
  const current = await store.currentMaster()
  if (!existsSync(keyFile)) {
    if (current !== null) {
      throw new MasterKeyFileError(
        `The master key file ${keyFile} is missing, and keys wrapped with it exist: restore your copy of it.`,
      )
    }
    if (!mayCreateKeyFile) {
      throw new MasterKeyFileError(
        `The master key file ${keyFile} is missing: make one with vouchsafe vault create-key and bring it to every node.`,
      )
    }
    createMasterKeyFile(keyFile, newMasterKey())
  }
  const masters = new FileMasterKeys(keyFile)
  await agreeOnCurrent(store, masters, keyFile)
  return masters
}

const agreeOnCurrent = async (store: KeyStore, masters: MasterKeys, keyFile: string): Promise<void> => {
  const ids = await masters.ids()
  const newest = ids.at(-1)
  const current = await store.currentMaster()
  if (current === null && newest !== undefined && (await store.setCurrentMaster(null, newest))) return
  const agreed = current ?? (await store.currentMaster())
  if (agreed === null || !ids.includes(agreed))
    throw new MasterKeyMissing(agreed ?? 'it was begun with', keyFile)
}
