import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WRAPPED_BYTES } from '../../../src/persistence/vault/key-crypto.ts'
import type { DataKeyRow, TenantKeyRow } from '../../../src/persistence/vault/key-store-port.ts'
import { asRows } from '../../persistence/vault/parts/as-rows.ts'
import type { KeyStoreUnderTest } from './parts/key-store-under-test.ts'

const unique = (kind: string): string => `${kind}_07${randomBytes(10).toString('hex')}`

const dataKey = (record: string, changes: Partial<DataKeyRow> = {}): DataKeyRow => ({
  record,
  keyId: randomBytes(6).toString('base64url'),
  tenant: 'ten_00aaaaaaaaaa',
  connection: null,
  parentKeyId: null,
  wrapped: randomBytes(WRAPPED_BYTES),
  ...changes,
})

const tenantKey = (tenant: string, master: string): TenantKeyRow => ({
  tenant,
  master,
  wrapped: randomBytes(WRAPPED_BYTES),
})

/** What every key store must do, whatever it is made of. */
export const describeKeyStore = (name: string, open: () => Promise<KeyStoreUnderTest>): void => {
  describe(`key store on ${name}`, () => {
    let subject: KeyStoreUnderTest

    beforeAll(async () => {
      subject = await open()
    })
    afterAll(async () => {
      await subject[Symbol.asyncDispose]()
    })

    describe('data keys', () => {
      it('are read back as they were written, also after a restart', async () => {
        const record = unique('cre')
        const key = dataKey(record, { connection: unique('con'), parentKeyId: 'abcdEFGH' })
        await subject.store.insertKey(key)
        expect(await subject.store.readKeys(record)).toEqual([key])
        await subject.reopen()
        expect(await subject.store.readKeys(record)).toEqual([key])
        expect(await subject.store.readKeys(unique('cre'))).toEqual([])
      })

      it('can be inserted again after an answer was lost', async () => {
        const key = dataKey(unique('cre'))
        await subject.store.insertKey(key)
        expect(await subject.store.insertKey(key)).toEqual([])
        expect(await subject.store.readKeys(key.record)).toEqual([key])
      })

      it('of rivals stand side by side', async () => {
        const record = unique('cre')
        const other = await subject.another()
        const keys = [dataKey(record), dataKey(record)] as const
        await Promise.all([subject.store.insertKey(keys[0]), other.insertKey(keys[1])])
        const found = asRows(await subject.store.readKeys(record))
        expect(new Set(found.map(({ keyId }) => keyId))).toEqual(new Set(keys.map(({ keyId }) => keyId)))
        await other[Symbol.asyncDispose]()
      })

      it('of those who were there before are told to whoever comes after them, in the order in which all read them', async () => {
        const record = unique('fck')
        const other = await subject.another()
        const keys = [dataKey(record), dataKey(record), dataKey(record)] as const
        expect(await subject.store.insertKey(keys[0])).toEqual([])
        expect(await other.insertKey(keys[1])).toEqual([keys[0]])
        const inOrder = keys.slice(0, 2).toSorted((one, next) => (one.keyId < next.keyId ? -1 : 1))
        expect(await subject.store.insertKey(keys[2])).toEqual(inOrder)
        // An answer was lost.
        expect(await subject.store.insertKey(keys[2])).toEqual(inOrder)
        const read = asRows(await other.readKeys(record)).map(({ keyId }) => keyId)
        expect(read).toEqual(keys.map(({ keyId }) => keyId).toSorted())
        await subject.store.eraseKeys(record)
        expect(await other.insertKey(keys[1])).toBe('erased')
        await other[Symbol.asyncDispose]()
      })

      it('are all gone after an erasure, and nobody else is', async () => {
        const [record, neighbour] = [unique('cre'), unique('cre')]
        await Promise.all([record, record, neighbour].map((id) => subject.store.insertKey(dataKey(id))))
        await subject.store.eraseKeys(record)
        await subject.store.eraseKeys(record)
        expect(await subject.store.readKeys(record)).toBe('erased')
        expect(await subject.store.readKeys(neighbour)).toHaveLength(1)
        await subject.reopen()
        expect(await subject.store.readKeys(record)).toBe('erased')
      })

      it('stay gone when an insert was under way during the erasure', async () => {
        const record = unique('cre')
        const inserted = Array.from({ length: 20 }, () => subject.store.insertKey(dataKey(record)))
        const erased = subject.store.eraseKeys(record)
        await Promise.all([...inserted, erased])
        expect(await subject.store.readKeys(record)).toBe('erased')
      })

      it('that were never there are not erased', async () => {
        const [unknown, erased, lost, both] = [unique('cre'), unique('cre'), unique('cre'), unique('cre')]
        await subject.store.eraseKeys(erased)
        await subject.store.markLost(lost)
        await subject.store.markLost(lost)
        await subject.store.eraseKeys(both)
        await subject.store.markLost(both)
        await subject.reopen()
        expect(await subject.store.readKeys(unknown)).toEqual([])
        expect(await subject.store.readKeys(erased)).toBe('erased')
        expect(await subject.store.readKeys(lost)).toBe('lost')
        const there = dataKey(unique('cre'))
        await subject.store.insertKey(there)
        const several = await subject.store.readKeysOf([unknown, erased, there.record, lost])
        expect([...several]).toEqual([
          [unknown, []],
          [erased, 'erased'],
          [there.record, [there]],
          [lost, 'lost'],
        ])
        expect(await subject.store.readKeys(both)).toBe('erased')
        await subject.store.eraseKeys(lost)
        expect(await subject.store.insertKey(dataKey(lost))).toBe('erased')
        expect(await subject.store.readKeys(lost)).toBe('erased')
      })

      it('made by many at once are all there', async () => {
        const keys = Array.from({ length: 300 }, () => dataKey(unique('cre')))
        await Promise.all(keys.map((key) => subject.store.insertKey(key)))
        const found = await Promise.all(keys.map((key) => subject.store.readKeys(key.record)))
        expect(found).toEqual(keys.map((key) => [key]))
      })
    })

    describe('the mark', () => {
      it('is given once, and its count rises with what is written, never back', async () => {
        expect(await subject.store.readMark()).toBeNull()
        expect(await subject.store.countedMark()).toBeNull()
        const other = await subject.another()
        const given = [subject.store, other].map((store, index) =>
          store.setMark(null, { id: `store-${index}`, count: 1 }),
        )
        expect((await Promise.all(given)).filter(Boolean)).toHaveLength(1)
        const first = await subject.store.countedMark()
        await other.insertKey(dataKey(unique('cre')))
        const second = await other.countedMark()
        expect(second?.id).toBe(first?.id)
        expect(second?.count).toBeGreaterThan(first?.count ?? Number.POSITIVE_INFINITY)
        await subject.reopen()
        expect(await subject.store.readMark()).toEqual(second)
        expect(await subject.store.setMark(first, { id: 'late', count: 9 })).toBe(false)
        await other[Symbol.asyncDispose]()
      })
    })

    describe('tenant keys', () => {
      it('go only under the current master key, which changes by compare and set', async () => {
        const current = await subject.store.currentMaster()
        expect(await subject.store.setCurrentMaster('not-the-one', 'master-x')).toBe(false)
        expect(await subject.store.setCurrentMaster(current, 'master-1')).toBe(true)
        expect(await subject.store.currentMaster()).toBe('master-1')

        const tenant = unique('ten')
        const stale = await subject.store.insertTenantKey(tenantKey(tenant, 'master-0'))
        expect(stale).toEqual({ is: 'stale-master', current: 'master-1' })
        expect(await subject.store.readTenantKey(tenant)).toBeNull()
        const key = tenantKey(tenant, 'master-1')
        expect(await subject.store.insertTenantKey(key)).toEqual({ is: 'written' })
        await subject.reopen()
        expect(await subject.store.readTenantKey(tenant)).toEqual(key)
      })

      it('belong to whoever came first, however many try at once', async () => {
        const tenant = unique('ten')
        const master = (await subject.store.currentMaster()) ?? ''
        const other = await subject.another()
        const rivals = Array.from({ length: 12 }, () => tenantKey(tenant, master))
        const outcomes = await Promise.all(
          rivals.map((key, index) => (index % 2 === 0 ? subject.store : other).insertTenantKey(key)),
        )
        const winner = await subject.store.readTenantKey(tenant)
        expect(outcomes.filter(({ is }) => is === 'written')).toHaveLength(1)
        const losers = outcomes.flatMap((outcome) => (outcome.is === 'exists' ? [outcome.key] : []))
        expect(losers).toEqual(losers.map(() => winner))
        expect(await subject.store.insertTenantKey(winner ?? tenantKey(tenant, master))).toEqual({
          is: 'exists',
          key: winner,
        })
        await other[Symbol.asyncDispose]()
      })

      it('are wrapped anew only over the row that was read and under the current master key', async () => {
        const tenant = unique('ten')
        const before = (await subject.store.currentMaster()) ?? ''
        const old = tenantKey(tenant, before)
        await subject.store.insertTenantKey(old)
        expect(await subject.store.rewrapTenantKey(old, tenantKey(tenant, 'master-2'))).toBe(false)
        expect(await subject.store.setCurrentMaster(before, 'master-2')).toBe(true)
        const next = tenantKey(tenant, 'master-2')
        expect(await subject.store.rewrapTenantKey(tenantKey(tenant, before), next)).toBe(false)
        expect(await subject.store.rewrapTenantKey(old, next)).toBe(true)
        expect(await subject.store.rewrapTenantKey(old, tenantKey(tenant, 'master-2'))).toBe(false)
        expect(await subject.store.readTenantKey(tenant)).toEqual(next)
      })

      it('are listed in order, page by page', async () => {
        const master = (await subject.store.currentMaster()) ?? ''
        const tenants = Array.from({ length: 7 }, () => unique('ten'))
        for (const tenant of tenants) await subject.store.insertTenantKey(tenantKey(tenant, master))
        const listed: string[] = []
        for (let after: string | null = null; ; ) {
          const page: readonly TenantKeyRow[] = await subject.store.listTenantKeys(after, 3)
          expect(page.length).toBeLessThanOrEqual(3)
          listed.push(...page.map(({ tenant }) => tenant))
          const last = page.at(-1)
          if (last === undefined) break
          after = last.tenant
        }
        expect(listed).toEqual([...listed].sort())
        expect(listed).toEqual(expect.arrayContaining(tenants))
      })
    })
  })
}
