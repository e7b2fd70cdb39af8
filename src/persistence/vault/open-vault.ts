import { existsSync } from 'node:fs'
import type { Vault } from '../../ports/vault.ts'
import { BoundedKeyStore } from './bounded-key-store.ts'
import { FileMasterKeys } from './file-master-keys.ts'
import type { KeyStore } from './key-store-port.ts'
import { KeyVault } from './key-vault.ts'
import { createMasterKeyFile, MasterKeyFileError, newMasterKey } from './master-key-file.ts'
import { MasterKeyMissing, type MasterKeys } from './master-key-port.ts'

export type VaultSettings = {
  readonly keyFile: string
  /** Embedded: the first start makes the key file. In a cluster every node must be given the same one. */
  readonly mayCreateKeyFile: boolean
  readonly cacheKeysMax: number
  readonly cacheLifetimeMs: number
  readonly storeTimeoutMs: number
  readonly storePendingMax: number
  readonly monotonicMs: () => number
}

/** Takes the store over: it is closed with the vault, also when opening fails. */
export const openVault = async (store: KeyStore, settings: VaultSettings): Promise<Vault> => {
  try {
    const bounded = new BoundedKeyStore(store, {
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
