import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { KeyGone, LostSeal } from '../../../src/ports/vault.ts'
import { WRAPPED_BYTES } from '../../../src/persistence/vault/key-crypto.ts'
import { replaceMasterKeyFile, newMasterKey } from '../../../src/persistence/vault/master-key-file.ts'
import { VaultFolder } from './parts/vault-folder.ts'

const TENANT = { tenant: 'ten_1', connection: null }

const place = new VaultFolder()
place.makeKeyFile()
const store = await place.openStore()
afterAll(() => place.close())

describe('key vault', () => {
  /** Counts what reaches the store, and can hold a read back until it is let go. */
  const watched = () => {
    const seen = { reads: 0 }
    let gate: Promise<void> = Promise.resolve()
    const proxy = new Proxy(store, {
      get: (_, name) => {
        if (name === 'readKeys') {
          return async (record: string) => {
            seen.reads++
            const rows = await store.readKeys(record)
            await gate
            return rows
          }
        }
        const value: unknown = Reflect.get(store, name, store)
        return typeof value === 'function' ? (value.bind(store) as unknown) : value
      },
    })
    const hold = () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return () => {
        gate = Promise.resolve()
        resolve()
      }
    }
    return { seen, hold, vault: place.vault(proxy, { keysMax: 4, lifetimeMs: 1_000 }) }
  }

  it('reads a key once within its lifetime, however many ask at once, and again after it', async () => {
    const sealed = (await place.vault(store).create('cre_reads', TENANT)).seal('Alice', 'x')
    const { vault, seen } = watched()
    const seals = await Promise.all(Array.from({ length: 10 }, () => vault.open('cre_reads')))
    expect(seals.map((seal) => seal.open(sealed, 'x'))).toEqual(Array(10).fill('Alice'))
    expect(seen.reads).toBe(1)
    place.clock.ms += 1_000
    expect((await vault.open('cre_reads')).open(sealed, 'x')).toBe('Alice')
    expect(seen.reads).toBe(2)
  })

  it('notices after the lifetime that another node erased a record, also for those who hold it', async () => {
    const { vault } = watched()
    const held = await vault.create('cre_foreign', TENANT)
    const sealed = held.seal('Alice', 'x')
    await store.eraseKeys('cre_foreign')
    expect(held.open(sealed, 'x')).toBe('Alice')
    place.clock.ms += 1_000
    expect((await vault.open('cre_foreign')).open(sealed, 'x')).toBeNull()
    expect(held.open(sealed, 'x')).toBeNull()
  })

  it('notices at once what another node erased where that may own the record, its connection included', async () => {
    const other = place.vault(store)
    const vault = place.vault(store, { isShared: true })
    const [alone, below] = [
      await other.create('pro_alone', TENANT),
      await other
        .create('con_above', TENANT)
        .then(() => other.create('pro_below', { tenant: 'ten_1', connection: 'con_above' })),
    ]
    const sealed = [alone.seal('Alice', 'x'), below.seal('Bob', 'x')] as const
    const opened = async () => [
      (await vault.openElsewhere('pro_alone')).open(sealed[0], 'x'),
      (await vault.openElsewhere('pro_below')).open(sealed[1], 'x'),
    ]
    expect(await opened()).toEqual(['Alice', 'Bob'])
    await other.erase('pro_alone')
    expect(await opened()).toEqual([null, 'Bob'])
    await other.erase('con_above')
    expect(await opened()).toEqual([null, null])
  })

  it('has a fingerprint for each record, the same on every node, until the record is erased', async () => {
    const made = await place.vault(store).create('cre_marked', TENANT)
    const other = await place.vault(store).create('cre_beside', TENANT)
    const vault = place.vault(store)
    const again = await vault.open('cre_marked')
    expect(again.fingerprint('Alice')).toBe(made.fingerprint('Alice'))
    expect(again.fingerprint('Bob')).not.toBe(made.fingerprint('Alice'))
    expect(other.fingerprint('Alice')).not.toBe(made.fingerprint('Alice'))
    await vault.erase('cre_marked')
    expect(() => again.fingerprint('Alice')).toThrow(KeyGone)
    expect(() => again.fingerprint('Alice')).toThrow('cre_marked')
    const erased = await vault.open('cre_marked')
    expect(() => erased.fingerprint('Alice')).toThrow(KeyGone)
    expect(() => new LostSeal('cre_lost').fingerprint()).toThrow('lost')
  })

  it('reaches with an erasure holders whose key has left the cache long ago', async () => {
    const { vault } = watched()
    const held = await vault.create('cre_held', TENANT)
    const sealed = held.seal('Alice', 'x')
    for (let index = 0; index < 10; index++) await vault.create(`cre_other${index}`, TENANT)
    await vault.erase('cre_held')
    expect(held.open(sealed, 'x')).toBeNull()
  })

  it('does not bring a key back whose reading an erasure overtook', async () => {
    const sealed = (await place.vault(store).create('cre_race', TENANT)).seal('Alice', 'x')
    const { vault, hold } = watched()
    const release = hold()
    const opening = vault.open('cre_race')
    await vault.erase('cre_race')
    release()
    expect((await opening).open(sealed, 'x')).toBeNull()
    expect((await vault.open('cre_race')).open(sealed, 'x')).toBeNull()
  })

  it('does not bring a record back whose connection was erased while it was read', async () => {
    const parent = { tenant: 'ten_1', connection: 'con_race' }
    const before = place.vault(store)
    await before.create('con_race', TENANT)
    const sealed = (await before.create('cre_below', parent)).seal('Alice', 'x')
    const { vault, hold } = watched()
    const release = hold()
    const opening = vault.open('cre_below')
    await vault.erase('con_race')
    release()
    expect((await opening).open(sealed, 'x')).toBeNull()
    await expect(vault.create('cre_late', parent)).rejects.toThrow(KeyGone)
  })

  it('takes no missing key for erased, and gives a tenant that exists no second one', async () => {
    const strict = place.strict(store)
    const unknown = { name: 'KeyUnknown', retryable: true }
    await expect(strict.open('cre_unknown')).rejects.toMatchObject(unknown)
    await expect(strict.openTenant('ten_unknown')).rejects.toMatchObject(unknown)
    await expect(strict.fingerprint('ten_unknown', 'x')).rejects.toMatchObject(unknown)
    const parent = { tenant: 'ten_unknown', connection: null }
    await expect(strict.create('cre_under', parent)).rejects.toMatchObject(unknown)
    await expect(strict.create('cre_under', { ...TENANT, connection: 'con_none' })).rejects.toMatchObject(
      unknown,
    )
    expect(await store.readTenantKey('ten_unknown')).toBeNull()
    await strict.create('ten_unknown', parent)
    await strict.create('cre_under', parent)
    expect(await strict.fingerprint('ten_unknown', 'x')).toHaveLength(43)
  })

  it('reads what is lost as null and lets nothing be made under it', async () => {
    const vault = place.vault(store)
    await store.markLost('con_lost')
    await store.markLost('ten_lost')
    const seal = await vault.open('con_lost')
    expect(seal).toBeInstanceOf(LostSeal)
    expect(seal.open('anything', 'x')).toBeNull()
    const lost = { name: 'KeyLost', retryable: false }
    expect(() => seal.seal('x', 'x')).toThrow(expect.objectContaining(lost) as Error)
    await expect(vault.create('cre_late', { ...TENANT, connection: 'con_lost' })).rejects.toMatchObject(lost)
    const strict = place.strict(store)
    await expect(strict.openTenant('ten_lost')).rejects.toMatchObject(lost)
    const below = { record: 'cre_of_lost', keyId: 'abcdEFGH', tenant: 'ten_lost', connection: null }
    await store.insertKey({ ...below, parentKeyId: null, wrapped: randomBytes(WRAPPED_BYTES) })
    expect(await strict.open('cre_of_lost')).toBeInstanceOf(LostSeal)
  })

  it('makes no key for a record whose key is gone', async () => {
    const vault = place.vault(store)
    await store.markLost('cre_lost')
    await store.eraseKeys('cre_erased')
    await expect(vault.create('cre_lost', TENANT)).rejects.toMatchObject({ name: 'KeyLost' })
    await expect(vault.create('cre_erased', TENANT)).rejects.toMatchObject({ name: 'KeyGone' })
  })

  it('refuses a record as its own connection', async () => {
    await expect(
      place.vault(store).create('con_1', { tenant: 'ten_1', connection: 'con_1' }),
    ).rejects.toThrow('below itself')
  })

  it('says in its probe when the current master key is not in the file, until it is', async () => {
    const vault = place.vault(store)
    await vault.probe()
    const next = newMasterKey()
    expect(await store.setCurrentMaster(place.master.id, next.id)).toBe(true)
    await expect(vault.probe()).rejects.toMatchObject({ name: 'MasterKeyMissing', retryable: true })
    replaceMasterKeyFile(place.keyFile, [place.master, next])
    await vault.probe()
    expect(await store.setCurrentMaster(next.id, place.master.id)).toBe(true)
  })
})
