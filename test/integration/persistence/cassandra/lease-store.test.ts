import { describe, expect, it } from 'vitest'
import type { NodeLease } from '../../../../src/ports/lease.ts'
import { CassandraLeaseStore } from '../../../../src/persistence/cassandra/lease-store.ts'
import { sessionOfThisFile } from './parts/own-session.ts'

const session = sessionOfThisFile()
const leaseOf = (node: string): NodeLease => ({
  node,
  incarnation: 'i1',
  counter: 0,
  address: '10.0.0.1:7000',
  state: 'alive',
})

describe('leases in Cassandra', () => {
  it('lets one of many renewals of the same row through', async () => {
    const leases = new CassandraLeaseStore(session())
    const lease = leaseOf('node-1')
    expect(await leases.join(lease, null)).toBe(true)
    const renewed = await Promise.all(Array.from({ length: 8 }, () => leases.renew(lease)))
    expect(renewed.filter(Boolean)).toHaveLength(1)
    expect(await leases.list()).toContainEqual({ ...lease, counter: 1 })
  })

  it('either renews a lease or declares it dead, never both', async () => {
    const leases = new CassandraLeaseStore(session())
    for (let round = 0; round < 5; round++) {
      const lease = leaseOf(`node-2-${round}`)
      await leases.join(lease, null)
      const [renewed, dead] = await Promise.all([leases.renew(lease), leases.declareDead(lease)])
      expect([renewed, dead].filter(Boolean)).toHaveLength(1)
    }
  })

  it('joins over the very row that was read, and not over one that moved', async () => {
    const leases = new CassandraLeaseStore(session())
    const lease = leaseOf('node-3')
    await leases.join(lease, null)
    const next = { ...lease, incarnation: 'i2', address: '10.0.0.2:7000' }
    expect([await leases.join(next, null), await leases.join(next, { ...lease, counter: 4 })]).toEqual([
      false,
      false,
    ])
    expect(await leases.join(next, lease)).toBe(true)
    expect(await leases.renew(lease)).toBe(false)
    await leases.leave(next)
    expect(await leases.list()).toContainEqual({ ...next, state: 'left' })
    expect(await leases.renew(next)).toBe(false)
  })
})
