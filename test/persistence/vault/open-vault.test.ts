import { existsSync, renameSync, statSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  createMasterKeyFile,
  newMasterKey,
  readMasterKeyFile,
} from '../../../src/persistence/vault/master-key-file.ts'
import { openVault } from '../../../src/persistence/vault/open-vault.ts'
import { openSqliteKeyStore } from '../../../src/persistence/vault/sqlite/sqlite-key-store.ts'
import { withAnyTenant } from './parts/any-tenant.ts'
import { VaultFolder } from './parts/vault-folder.ts'

describe('opening the vault', () => {
  let place: VaultFolder
  beforeEach(() => {
    place = new VaultFolder()
  })

  const open = async (mayCreateKeyFile: boolean) =>
    withAnyTenant(
      await openVault(await openSqliteKeyStore(place.storeFile), {
        keyFile: place.keyFile,
        mayCreateKeyFile,
        cacheKeysMax: 10,
        cacheLifetimeMs: 60_000,
        storeTimeoutMs: 5_000,
        storePendingMax: 100,
        monotonicMs: () => 0,
      }),
    )

  it('makes the key file at the first embedded start and finds it at the next', async () => {
    const first = await open(true)
    expect(statSync(place.keyFile).mode & 0o777).toBe(0o600)
    const sealed = (await first.create('cre_1', { tenant: 'ten_1', connection: null })).seal('Alice', 'x')
    await first[Symbol.asyncDispose]()
    const second = await open(false)
    expect((await second.open('cre_1')).open(sealed, 'x')).toBe('Alice')
    await second[Symbol.asyncDispose]()
  })

  it('needs a key file where it may not make one', async () => {
    await expect(open(false)).rejects.toThrow('vouchsafe vault create-key')
    expect(existsSync(place.keyFile)).toBe(false)
    createMasterKeyFile(place.keyFile, newMasterKey())
    await (await open(false))[Symbol.asyncDispose]()
  })

  it('never makes a new key where keys under an old one exist', async () => {
    await (await open(true))[Symbol.asyncDispose]()
    const away = `${place.keyFile}.away`
    renameSync(place.keyFile, away)
    await expect(open(true)).rejects.toThrow(
      'is missing, and keys wrapped with it exist: restore your copy of it.',
    )
    expect(readMasterKeyFile(place.keyFile)).toBeNull()
    createMasterKeyFile(place.keyFile, newMasterKey())
    await expect(open(true)).rejects.toThrow(/needs the master key [0-9a-f]{16}, which is not in /)
    renameSync(away, place.keyFile)
    await (await open(true))[Symbol.asyncDispose]()
  })
})
