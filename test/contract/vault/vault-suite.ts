import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { KeyGone, type Vault } from '../../../src/ports/vault.ts'
import { createMasterKeyFile, newMasterKey } from '../../../src/persistence/vault/master-key-file.ts'
import { openVault } from '../../../src/persistence/vault/open-vault.ts'
import { rotateMasterKey } from '../../../src/persistence/vault/rotate-command.ts'
import { withAnyTenant } from '../../persistence/vault/parts/any-tenant.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { FAULTS, FaultyKeyStore, SERVING_METHODS } from './parts/faulty-key-store.ts'
import type { KeyStoreUnderTest } from './parts/key-store-under-test.ts'

const STORE_TIMEOUT_MS = 10_000
const HANG_TIMEOUT_MS = 700
const unique = (kind: string): string => `${kind}_07${randomBytes(10).toString('hex')}`

/** The vault over a real store, and over one that fails in every way. */
export const describeVault = (name: string, open: () => Promise<KeyStoreUnderTest>): void => {
  describe(`vault on ${name}`, () => {
    const folder = temporaryFolder('vault-key')
    const keyFile = join(folder, 'vault.key')
    let subject: KeyStoreUnderTest
    let faulty: FaultyKeyStore
    let vault: Vault

    const start = async (storeTimeoutMs = STORE_TIMEOUT_MS): Promise<Vault> => {
      faulty = new FaultyKeyStore(subject.store)
      const opened = await openVault(faulty.store, {
        keyFile,
        mayCreateKeyFile: false,
        cacheKeysMax: 1_000,
        cacheLifetimeMs: 60_000,
        storeTimeoutMs,
        storePendingMax: 10_000,
        monotonicMs: () => performance.now(),
      })
      return withAnyTenant(opened)
    }
    /** Nothing of the old one's memory is left. */
    const restart = async (storeTimeoutMs = STORE_TIMEOUT_MS): Promise<void> => {
      await vault[Symbol.asyncDispose]()
      vault = await start(storeTimeoutMs)
    }

    beforeAll(async () => {
      createMasterKeyFile(keyFile, newMasterKey())
      subject = await open()
      vault = await start()
    })
    afterAll(async () => {
      await vault[Symbol.asyncDispose]()
      await subject[Symbol.asyncDispose]()
    })

    it('opens after a restart what it sealed before', async () => {
      const tenant = unique('ten')
      const [connection, exchange] = [unique('con'), unique('cre')]
      const above = await vault.create(connection, { tenant, connection: null })
      const below = await vault.create(exchange, { tenant, connection })
      const sealed = [above.seal('label', 'a'), below.seal('attributes', 'b')] as const
      const fingerprint = await vault.fingerprint(tenant, 'body')
      const secret = (await vault.openTenant(tenant)).seal('private key', 'did')
      await restart()
      expect((await vault.open(connection)).open(sealed[0], 'a')).toBe('label')
      expect((await vault.open(exchange)).open(sealed[1], 'b')).toBe('attributes')
      expect(await vault.fingerprint(tenant, 'body')).toBe(fingerprint)
      expect((await vault.openTenant(tenant)).open(secret, 'did')).toBe('private key')
    })

    it('reads null after an erasure, for every holder at once and after a restart', async () => {
      const [record, neighbour] = [unique('cre'), unique('cre')]
      const parent = { tenant: unique('ten'), connection: null }
      const held = await vault.create(record, parent)
      const other = await vault.create(neighbour, parent)
      const [sealed, kept] = [held.seal('Alice', 'x'), other.seal('Bob', 'x')]
      await vault.erase(record)
      await vault.erase(record)
      expect(held.open(sealed, 'x')).toBeNull()
      expect(() => held.seal('again', 'x')).toThrow(KeyGone)
      expect((await vault.open(record)).open(sealed, 'x')).toBeNull()
      await restart()
      expect((await vault.open(record)).open(sealed, 'x')).toBeNull()
      expect((await vault.open(neighbour)).open(kept, 'x')).toBe('Bob')
    })

    it('erases with a connection everything below it', async () => {
      const parent = { tenant: unique('ten'), connection: unique('con') }
      await vault.create(parent.connection, { ...parent, connection: null })
      const exchange = unique('cre')
      const held = await vault.create(exchange, parent)
      const sealed = held.seal('Alice', 'x')
      await vault.erase(parent.connection)
      expect(held.open(sealed, 'x')).toBeNull()
      expect((await vault.open(exchange)).open(sealed, 'x')).toBeNull()
      await expect(vault.create(unique('cre'), parent)).rejects.toThrow(KeyGone)
      await restart()
      expect((await vault.open(exchange)).open(sealed, 'x')).toBeNull()
      await expect(vault.create(unique('cre'), parent)).rejects.toThrow(KeyGone)
    })

    it('erases with a tenant everything below it and under its own seal, and makes it no key again', async () => {
      const [tenant, neighbour] = [unique('ten'), unique('ten')]
      const [connection, exchange, beside] = [unique('con'), unique('cre'), unique('con')]
      await vault.makeTenant(tenant)
      const above = await vault.create(connection, { tenant, connection: null })
      const below = await vault.create(exchange, { tenant, connection })
      const other = await vault.create(beside, { tenant: neighbour, connection: null })
      const own = await vault.openTenant(tenant)
      const sealed = {
        above: above.seal('a', 'x'),
        below: below.seal('b', 'x'),
        own: own.seal('c', 'x'),
        other: other.seal('d', 'x'),
      }
      await vault.eraseTenant(tenant)
      await vault.eraseTenant(tenant)
      const check = async (): Promise<void> => {
        expect((await vault.open(connection)).open(sealed.above, 'x')).toBeNull()
        expect((await vault.open(exchange)).open(sealed.below, 'x')).toBeNull()
        expect((await vault.openTenant(tenant)).open(sealed.own, 'x')).toBeNull()
        expect((await vault.open(beside)).open(sealed.other, 'x')).toBe('d')
        await expect(vault.fingerprint(tenant, 'x')).rejects.toThrow(KeyGone)
        await expect(vault.create(unique('con'), { tenant, connection: null })).rejects.toThrow(KeyGone)
      }
      expect([above, below, own].map((seal) => seal.open(sealed.above, 'x'))).toEqual([null, null, null])
      await check()
      await restart()
      await check()
      expect(await subject.store.readTenantKey(tenant)).toBeNull()
    })

    it('learns of an erasure on another node when it is told', async () => {
      const record = unique('cre')
      const held = await vault.create(record, { tenant: unique('ten'), connection: null })
      const sealed = held.seal('Alice', 'x')
      const elsewhere = await start()
      await elsewhere.erase(record)
      vault.erasedElsewhere(record)
      expect(held.open(sealed, 'x')).toBeNull()
      await elsewhere[Symbol.asyncDispose]()
      await restart()
    })

    it('gives a tenant one key, also when nodes make it at the same time', async () => {
      const nodes = [await start(), await start(), await start()]
      const tenant = unique('ten')
      const prints = await Promise.all([...nodes, ...nodes].map((node) => node.fingerprint(tenant, 'x')))
      expect(new Set(prints).size).toBe(1)
      expect(await vault.fingerprint(unique('ten'), 'x')).not.toBe(prints[0])
      for (const node of nodes) await node[Symbol.asyncDispose]()
      await restart()
    })

    it('lets rivals that create one record read each other', async () => {
      const rival = await start()
      const [record, parent] = [unique('cre'), { tenant: unique('ten'), connection: null }]
      const seals = await Promise.all([vault.create(record, parent), rival.create(record, parent)])
      const sealed = seals.map((seal) => seal.seal('Alice', 'x'))
      await rival[Symbol.asyncDispose]()
      await restart()
      const found = await vault.open(record)
      expect(sealed.map((text) => found.open(text, 'x'))).toEqual(['Alice', 'Alice'])
    })

    describe.each(FAULTS)('when a call comes to %s', (fault) => {
      it.each(SERVING_METHODS)('of %s, answers in time, and a repetition succeeds', async (method) => {
        const parent = { tenant: unique('ten'), connection: unique('con') }
        await vault.create(parent.connection, { ...parent, connection: null })
        const [record, old] = [unique('cre'), unique('cre')]
        const oldSealed = (await vault.create(old, parent)).seal('Bob', 'y')
        await restart(fault === 'hang' ? HANG_TIMEOUT_MS : STORE_TIMEOUT_MS)
        faulty.plan(method, fault)

        const seal = await persist(() => vault.create(record, parent))
        const sealed = seal.seal('Alice', 'x')
        await persist(() => vault.fingerprint(unique('ten'), 'x'))
        await persist(() => vault.probe())
        await persist(() => vault.erase(old))
        await persist(() => vault.cleaned())
        expect(faulty.pending).toBe(0)
        await restart()
        expect((await vault.open(record)).open(sealed, 'x')).toBe('Alice')
        expect((await vault.open(old)).open(oldSealed, 'y')).toBeNull()
      })
    })

    it('keeps everything readable when a rotation fails at any call and is run again', async () => {
      await restart()
      const records = await Promise.all(
        Array.from({ length: 5 }, async () => {
          const record = unique('cre')
          const seal = await vault.create(record, { tenant: unique('ten'), connection: null })
          return { record, sealed: seal.seal(record, 'x') }
        }),
      )
      for (const method of [
        'currentMaster',
        'setCurrentMaster',
        'listTenantKeys',
        'rewrapTenantKey',
      ] as const) {
        for (const fault of ['fail-before', 'fail-after'] as const) {
          const failing = new FaultyKeyStore(subject.store)
          failing.plan(method, fault, method === 'rewrapTenantKey' ? 2 : 0)
          const rotate = () => rotateMasterKey({ store: failing.store, keyFile, onlyThisMachine: true })
          await expect(rotate()).rejects.toThrow(method)
          const late = unique('cre')
          const seal = await vault.create(late, { tenant: unique('ten'), connection: null })
          records.push({ record: late, sealed: seal.seal(late, 'x') })
          expect(await rotate()).toMatchObject({ is: 'rotated' })
          await restart()
          for (const { record, sealed } of records)
            expect((await vault.open(record)).open(sealed, 'x')).toBe(record)
        }
      }
    })
  })
}

/** Repeats what failed as retryable, as the host does. */
const persist = async <Result>(call: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      if (attempt === 3 || (error as { retryable?: boolean }).retryable !== true) throw error
    }
  }
}
