import { join } from 'node:path'
import type { Client } from 'cassandra-driver'
import type { Vault } from '../../ports/vault.ts'
import type { Config } from '../../config/config.ts'
import { keyspaceOfKeys } from '../cassandra/migrate.ts'
import { CassandraSession } from '../cassandra/session.ts'
import { CassandraKeyStore } from './cassandra/cassandra-key-store.ts'
import type { KeyStore } from './key-store-port.ts'
import { openVault } from './open-vault.ts'
import { SqliteKeyStore } from './sqlite/sqlite-key-store.ts'

type Settings = Pick<Config, 'storage' | 'cassandra'>

/** Far more than a healthy store has at once; beyond it, callers are better told to come again. */
const STORE_CALLS_MAX = 16_384

/** Beside the journal in its Cassandra, or in a file when there is none. */
export const openConfiguredVault = async (
  config: Settings,
  cassandra: Client | null,
  monotonicMs: () => number,
): Promise<Vault> =>
  await openVault(await openKeyStore(config, cassandra), {
    keyFile: keyFileOf(config),
    // A named file must be there, and the nodes of a cluster must be given the same one.
    mayCreateKeyFile: cassandra === null && config.storage.vaultKeyFile === '',
    cacheKeysMax: config.storage.vaultCacheKeysMax,
    cacheLifetimeMs: config.storage.vaultCacheSeconds * 1_000,
    storeTimeoutMs: config.storage.vaultTimeoutMs,
    storePendingMax: STORE_CALLS_MAX,
    monotonicMs,
  })

export const openKeyStore = async (config: Settings, cassandra: Client | null): Promise<KeyStore> =>
  cassandra === null
    ? await SqliteKeyStore.open(join(config.storage.dataFolder, 'vault', 'keys.sqlite'))
    : new CassandraKeyStore(
        new CassandraSession(cassandra, config.cassandra),
        keyspaceOfKeys(config.cassandra.keyspace),
      )

export const keyFileOf = ({ storage }: Settings): string =>
  storage.vaultKeyFile === '' ? join(storage.dataFolder, 'vault.key') : storage.vaultKeyFile
