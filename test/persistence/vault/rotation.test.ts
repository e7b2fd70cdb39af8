import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FileMasterKeys } from '../../../src/persistence/vault/file-master-keys.ts'
import type { KeyStore } from '../../../src/persistence/vault/key-store-port.ts'
import { newMasterKey, replaceMasterKeyFile } from '../../../src/persistence/vault/master-key-file.ts'
import { mastersInUse, rewrapTenantKeys } from '../../../src/persistence/vault/rotation.ts'
import { VaultFolder } from './parts/vault-folder.ts'

describe('rewrapping of tenant keys', () => {
  let place: VaultFolder
  let store: KeyStore
  const next = newMasterKey()

  beforeEach(async () => {
    place = new VaultFolder()
    place.makeKeyFile()
    store = await place.openStore()
  })
  afterEach(() => place.close())

  it('brings every tenant under the new key, more than a page of them, and keeps their keys', async () => {
    const vault = place.vault(store, { keysMax: 1_000 })
    const tenants = Array.from({ length: 450 }, (_, index) => `ten_${index}`)
    const prints = await Promise.all(tenants.map((tenant) => vault.fingerprint(tenant, 'x')))
    replaceMasterKeyFile(place.keyFile, [place.master, next])
    const progress: number[] = []
    const masters = new FileMasterKeys(place.keyFile)
    expect(await rewrapTenantKeys(store, masters, next.id, (count) => progress.push(count))).toBe(450)
    expect(progress.at(-1)).toBe(450)
    expect([...(await mastersInUse(store))]).toEqual([next.id])
    expect(await rewrapTenantKeys(store, masters, next.id)).toBe(0)
    replaceMasterKeyFile(place.keyFile, [next])
    const after = place.vault(store)
    expect(await Promise.all(tenants.map((tenant) => after.fingerprint(tenant, 'x')))).toEqual(prints)
  })

  it('refuses to start from a master key it does not hold', async () => {
    await place.vault(store).fingerprint('ten_1', 'x')
    replaceMasterKeyFile(place.keyFile, [next])
    await expect(rewrapTenantKeys(store, new FileMasterKeys(place.keyFile), next.id)).rejects.toThrow(
      `needs the master key ${place.master.id}`,
    )
    expect(await store.currentMaster()).toBe(place.master.id)
  })

  it('misses no tenant that is made while it runs', async () => {
    const running = place.vault(store)
    await running.fingerprint('ten_before', 'x')
    replaceMasterKeyFile(place.keyFile, [place.master, next])
    const masters = new FileMasterKeys(place.keyFile)
    const made = Array.from({ length: 100 }, async (_, index) => running.fingerprint(`ten_${index}`, 'x'))
    const rotated = rewrapTenantKeys(store, masters, next.id)
    const later = Array.from({ length: 100 }, async (_, index) =>
      running.fingerprint(`ten_late${index}`, 'x'),
    )
    await Promise.all([...made, rotated, ...later])
    expect([...(await mastersInUse(store))]).toEqual([next.id])
  })
})
