import { describe, expect, it } from 'vitest'
import type { NodeLease } from '../../../src/ports/lease.ts'
import { SqliteLeaseStore } from '../../../src/persistence/sqlite/lease-store.ts'
import { temporaryFolder } from './parts/temporary-journal.ts'

const lease: NodeLease = { node: 'node-1', incarnation: 'i1', counter: 0, address: '', state: 'alive' }

describe('the lease of the embedded engine', () => {
  it('is the data folder: a second holder is refused until the first is gone', () => {
    const folder = temporaryFolder()
    const first = new SqliteLeaseStore(folder)
    expect(() => new SqliteLeaseStore(folder)).toThrow('already running on the data folder')
    first[Symbol.dispose]()
    new SqliteLeaseStore(folder)[Symbol.dispose]()
  })

  it('is renewed from the row that was read, and by nobody who read an older one', async () => {
    using store = new SqliteLeaseStore(temporaryFolder())
    expect(await store.join(lease, null)).toBe(true)
    expect(await store.join(lease, null)).toBe(false)
    expect([await store.renew(lease), await store.renew(lease)]).toEqual([true, false])
    expect(await store.list()).toEqual([{ ...lease, counter: 1 }])
  })

  it('ends when it is declared dead or left, and is joined again over that very row', async () => {
    using store = new SqliteLeaseStore(temporaryFolder())
    await store.join(lease, null)
    expect(await store.declareDead({ ...lease, counter: 5 })).toBe(false)
    expect(await store.declareDead(lease)).toBe(true)
    expect(await store.renew({ ...lease, state: 'dead' })).toBe(false)
    const next = { ...lease, incarnation: 'i2' }
    expect(await store.join(next, lease)).toBe(false)
    expect(await store.join(next, { ...lease, state: 'dead' })).toBe(true)
    await store.leave(next)
    expect(await store.list()).toEqual([{ ...next, state: 'left' }])
  })
})
