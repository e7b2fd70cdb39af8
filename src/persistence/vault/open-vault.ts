import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from 'cassandra-driver'
import type { Config } from '../../config/config.ts'
import { OPERATORS, PLATFORM } from '../../domain/operators.ts'
import type { Vault } from '../../ports/vault.ts'
import { keyspaceOfKeys } from '../cassandra/migrate.ts'
import { CassandraSession } from '../cassandra/session.ts'
import { boundedKeyStore } from './bounded-key-store.ts'
import { CassandraKeyStore } from './cassandra/cassandra-key-store.ts'
import { FileMasterKeys } from './file-master-keys.ts'
import {
  checkKeyStore,
  foundMark,
  type KeyStoreMemory,
  missingKeyStore,
  rememberedKeyStore,
} from './key-store-mark.ts'
import type { KeyStore, KeyStoreMark } from './key-store-port.ts'
import { KeyVault, type KeyVaultOptions } from './key-vault.ts'
import { createMasterKeyFile, MasterKeyFileError, newMasterKey } from './master-key-file.ts'
import { MasterKeyMissing, type MasterKeys } from './master-key-port.ts'
import { openSqliteKeyStore } from './sqlite/sqlite-key-store.ts'

type VaultConfig = Pick<Config, 'storage' | 'cassandra'>

/** Far more than a healthy store has pending at once; beyond it callers get a retryable error. */
const STORE_CALLS_MAX = 16_384

/** How long a crash can keep the journal behind the key store. */
const REMEMBER_MS = 60_000

/** The journal's side: the connection to its Cassandra, if it has one, and what it knows of its key store. */
export type JournalBeside = { readonly cassandra: Client | null; readonly keyStore: KeyStoreMemory }

/**
 * The vault with its keys in the Cassandra of the journal, or in a file where there is no Cassandra. Rejects with
 * WrongKeyStore, before anything is changed, when these are not the journal's keys.
 */
export const openConfiguredVault = async (
  config: VaultConfig,
  { cassandra, keyStore: memory }: JournalBeside,
  monotonicMs: () => number,
): Promise<Vault> => {
  // The journal is asked first: whatever other nodes count meanwhile, the key store is not behind it.
  const known = await memory.read()
  const store = await openKeyStore(config, cassandra, known === null)
  await check(store, placeOfKeys(config, cassandra), known)
  // A key file that the operator names must exist, and the nodes of a cluster must all have the same one.
  const mayCreateKeyFile = cassandra === null && config.storage.vaultKeyFile === ''
  const vault = await openVault(store, {
    ...settingsOf(config),
    memory,
    mayCreateKeyFile,
    monotonicMs,
    isShared: cassandra !== null,
  })
  try {
    // Later than this, a key of the service's own that is missing is an error.
    if (known === null) for (const each of [OPERATORS, PLATFORM]) await vault.makeTenant(each)
    await memory.record(await foundMark(store))
    return vault
  } catch (error) {
    await vault[Symbol.asyncDispose]()
    throw error
  }
}

const check = async (store: KeyStore, place: string, known: KeyStoreMark | null): Promise<void> => {
  try {
    checkKeyStore(place, known, await store.readMark())
  } catch (error) {
    await store[Symbol.asyncDispose]()
    // Cassandra names the table that it has not.
    const isAbsent = error instanceof Error && /unconfigured table|does not exist/i.test(error.message)
    throw isAbsent && known !== null ? missingKeyStore(place) : error
  }
}

/** The vault over these keys whether or not they are the journal's: for deciding about them, never for serving. */
export const openVaultUnchecked = (
  config: VaultConfig,
  store: KeyStore,
  monotonicMs: () => number,
): Promise<Vault> => openVault(store, { ...settingsOf(config), mayCreateKeyFile: false, monotonicMs })

const settingsOf = (config: VaultConfig): Omit<VaultSettings, 'mayCreateKeyFile' | 'monotonicMs'> => ({
  keyFile: keyFileOf(config),
  cacheKeysMax: config.storage.vaultCacheKeysMax,
  cacheLifetimeMs: config.storage.vaultCacheSeconds * 1_000,
  storeTimeoutMs: config.storage.vaultTimeoutMs,
  storePendingMax: STORE_CALLS_MAX,
})

/** `mayCreate`: false where keys exist already, so that a file that is missing is not replaced by an empty one. */
export const openKeyStore = async (
  config: VaultConfig,
  cassandra: Client | null,
  mayCreate: boolean,
): Promise<KeyStore> => {
  const place = placeOfKeys(config, cassandra)
  if (cassandra !== null)
    return new CassandraKeyStore(new CassandraSession(cassandra, config.cassandra), place)
  if (!mayCreate && !(existsSync(place) && statSync(place).size > 0)) throw missingKeyStore(place)
  return await openSqliteKeyStore(place)
}

/** The file or the keyspace. */
export const placeOfKeys = ({ storage, cassandra }: VaultConfig, client: Client | null): string =>
  client === null ? join(storage.dataFolder, 'vault', 'keys.sqlite') : keyspaceOfKeys(cassandra.keyspace)

export const keyFileOf = ({ storage }: VaultConfig): string =>
  storage.vaultKeyFile === '' ? join(storage.dataFolder, 'vault.key') : storage.vaultKeyFile

export type VaultSettings = Omit<KeyVaultOptions, 'store' | 'masters'> & {
  /** Where the journal is kept informed of the key store; left out where there is no journal beside it. */
  readonly memory?: KeyStoreMemory
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
    const { memory } = settings
    const kept = memory === undefined ? bounded : rememberedKeyStore(bounded, memory, REMEMBER_MS)
    return new KeyVault({ ...settings, store: kept, masters })
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
