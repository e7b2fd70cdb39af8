import BetterSqlite3 from 'better-sqlite3'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { KeyStore } from '../../../src/persistence/vault/key-store-port.ts'
import {
  newMasterKey,
  readMasterKeyFile,
  replaceMasterKeyFile,
} from '../../../src/persistence/vault/master-key-file.ts'
import { rotateMasterKey } from '../../../src/persistence/vault/rotate-command.ts'
import { VaultFolder } from './parts/vault-folder.ts'

describe('rotation of the master key', () => {
  let place: VaultFolder
  let store: KeyStore

  beforeEach(async () => {
    place = new VaultFolder()
    place.makeKeyFile()
    store = await place.openStore()
  })
  afterEach(() => place.close())

  const rotate = (onlyThisMachine = true) =>
    rotateMasterKey({ store, keyFile: place.keyFile, onlyThisMachine })

  it('needs no restart of a running vault and leaves nothing that the old key opens', async () => {
    const running = place.vault(store)
    const seal = await running.create('cre_1', { tenant: 'ten_1', connection: null })
    const sealed = seal.seal('Alice', 'x')
    const old = await store.readTenantKey('ten_1')
    const result = await rotate()
    expect(result).toMatchObject({ is: 'rotated', rewrapped: 1 })

    expect(seal.open(sealed, 'x')).toBe('Alice')
    await running.create('cre_2', { tenant: 'ten_2', connection: null })
    await running.probe()
    expect((await place.vault(store).open('cre_1')).open(sealed, 'x')).toBe('Alice')

    const entries = readMasterKeyFile(place.keyFile) ?? []
    expect(entries).toHaveLength(1)
    expect(entries[0]?.id).not.toBe(place.master.id)
    expect(readFileSync(place.keyFile, 'utf8')).not.toContain(place.master.key.toString('base64url'))
    const stored = Buffer.concat(['', '-wal'].map((suffix) => readFileSync(place.storeFile + suffix)))
    expect(stored.includes(old?.wrapped ?? 'missing')).toBe(false)
    replaceMasterKeyFile(place.keyFile, [place.master])
    await expect(place.vault(store).fingerprint('ten_1', 'x')).rejects.toThrow('needs the master key')
  })

  it('stops between its two steps where the new key must first reach other machines', async () => {
    const vault = place.vault(store)
    const print = await vault.fingerprint('ten_1', 'x')
    const prepared = await rotate(false)
    expect(prepared.is).toBe('prepared')
    expect(readMasterKeyFile(place.keyFile)).toHaveLength(2)
    expect(await store.currentMaster()).toBe(place.master.id)
    expect(await rotate(false)).toMatchObject({ is: 'rotated', rewrapped: 1 })
    expect(readMasterKeyFile(place.keyFile)).toHaveLength(1)
    expect(await place.vault(store).fingerprint('ten_1', 'x')).toBe(print)
  })

  it('goes on where it was stopped', async () => {
    const print = await place.vault(store).fingerprint('ten_1', 'x')
    const next = newMasterKey()
    replaceMasterKeyFile(place.keyFile, [place.master, next])
    await store.setCurrentMaster(place.master.id, next.id)
    expect(await rotate()).toEqual({ is: 'rotated', current: next.id, rewrapped: 1 })
    expect(await place.vault(store).fingerprint('ten_1', 'x')).toBe(print)
  })

  it('refuses to run twice at once', async () => {
    const other = new BetterSqlite3(`${place.keyFile}.lock`)
    other.exec('BEGIN EXCLUSIVE')
    await expect(rotate()).rejects.toThrow('Another rotation')
    other.close()
    expect(await rotate()).toMatchObject({ is: 'rotated' })
  })

  it('refuses a key file that is not the one of this store, and changes nothing', async () => {
    await place.vault(store).fingerprint('ten_1', 'x')
    replaceMasterKeyFile(place.keyFile, [newMasterKey()])
    await expect(rotate()).rejects.toThrow(`needs the master key ${place.master.id}`)
    expect(await store.currentMaster()).toBe(place.master.id)
  })
})
