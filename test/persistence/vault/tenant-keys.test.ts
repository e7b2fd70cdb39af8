import { afterAll, describe, expect, it } from 'vitest'
import { FileMasterKeys } from '../../../src/persistence/vault/file-master-keys.ts'
import { KeyCache } from '../../../src/persistence/vault/record-key.ts'
import { newMasterKey, replaceMasterKeyFile } from '../../../src/persistence/vault/master-key-file.ts'
import { TenantKeys } from '../../../src/persistence/vault/tenant-keys.ts'
import { VaultFolder } from './parts/vault-folder.ts'

const place = new VaultFolder()
place.makeKeyFile()
const store = await place.openStore()
afterAll(() => place.close())

describe('tenant keys', () => {
  const keys = (): TenantKeys =>
    new TenantKeys(store, new FileMasterKeys(place.keyFile), new KeyCache(100, 60_000, () => place.clock.ms))

  it('are made when they are first needed, not when they are looked for', async () => {
    const tenants = keys()
    expect(await tenants.find('ten_a')).toBeNull()
    const made = await Promise.all([tenants.findOrMake('ten_a'), tenants.findOrMake('ten_a')])
    expect(made[0]).toBe(made[1])
    expect(await tenants.find('ten_a')).toBe(made[0])
    expect((await keys().find('ten_a'))?.fingerprint('x')).toBe(made[0]?.fingerprint('x'))
  })

  it('are made under the new master key when a rotation came in between', async () => {
    const tenants = keys()
    const next = newMasterKey()
    replaceMasterKeyFile(place.keyFile, [place.master, next])
    await store.setCurrentMaster(place.master.id, next.id)
    await tenants.findOrMake('ten_b')
    expect((await store.readTenantKey('ten_b'))?.master).toBe(next.id)
    expect(await keys().find('ten_a')).not.toBeNull()
    await store.setCurrentMaster(next.id, place.master.id)
  })

  it('wait for the operator when the master key is not in the file, and are there when it is', async () => {
    const next = newMasterKey()
    await store.setCurrentMaster(place.master.id, next.id)
    const tenants = keys()
    await expect(tenants.findOrMake('ten_c')).rejects.toMatchObject({ retryable: true })
    replaceMasterKeyFile(place.keyFile, [place.master, next])
    expect((await tenants.findOrMake('ten_c')).tenant).toBe('ten_c')
    await store.setCurrentMaster(next.id, place.master.id)
  })
})
