import { describe, expect, it } from 'vitest'
import { LATE_AFTER_MS } from '../../../src/cluster/planner/late-shards.ts'
import { returningDefaults } from '../../../src/cluster/planner/returning.ts'
import { type Cost, PlannedCluster } from './planned-cluster.ts'

const MINUTE_MS = 60_000
const flat: Cost = { eventsPerSecond: 4, bytesPerSecond: 4_000, residents: 40 }
const largest = (shares: Readonly<Record<string, number>>): number => Math.max(...Object.values(shares))

describe('shards that never arrive', () => {
  it('keep nothing else from being spread, however many they are', async () => {
    const cluster = new PlannedCluster(1, () => flat)
    // As many as may be on their way at once: nobody can open any of them.
    for (let shard = 0; shard < 24; shard++) cluster.stuck.add(shard)
    await cluster.join('n1', 'n2', 'n3')
    await cluster.pass(2 * MINUTE_MS)
    const hot = new Set(cluster.shardsOf('n2'))
    cluster.cost = (shard) => (hot.has(shard) ? { ...flat, eventsPerSecond: 12 } : flat)
    expect(largest(cluster.shares('eventsPerSecond'))).toBeGreaterThan(1.5)
    await cluster.pass(LATE_AFTER_MS + 5 * MINUTE_MS)
    expect(largest(cluster.shares('eventsPerSecond'))).toBeLessThan(1.3)
    const before = cluster.served
    cluster.stuck.clear()
    await cluster.pass(MINUTE_MS)
    expect([before, cluster.served]).toEqual([256 - 24, 256])
  })
})

describe('a node that dies and comes back', () => {
  const begin = async () => {
    const cluster = new PlannedCluster(2, () => flat)
    await cluster.join('n1', 'n2', 'n3')
    await cluster.pass(2 * MINUTE_MS)
    /** It is gone for a while, or for so short a time that nobody notices. */
    const dies = async (node: string, awayMs: number): Promise<void> => {
      cluster.die(node)
      if (awayMs > 0) await cluster.pass(awayMs)
      await cluster.join(node)
    }
    return { cluster, dies }
  }
  const { deathsForgiven, provingMs } = returningDefaults

  it.each([
    ['seen', 12_000],
    ['unseen', 0],
  ])(
    'again and again, %s, has no share until its lease has lasted, each time for longer',
    async (_, awayMs) => {
      const { cluster, dies } = await begin()
      for (let death = 1; death <= deathsForgiven; death++) {
        await dies('n2', awayMs)
        await cluster.pass(provingMs - 2_000)
        expect(cluster.countOf('n2'), `after death ${death}`).toBeGreaterThan(40)
      }
      for (const waitMs of [provingMs, provingMs * 2]) {
        await dies('n2', awayMs)
        await cluster.pass(waitMs - 3_000)
        expect(cluster.countOf('n2'), `${waitMs} ms after its death`).toBe(0)
        await cluster.pass(30_000)
        expect(cluster.countOf('n2')).toBeGreaterThan(60)
      }
    },
  )

  it('is forgiven its deaths when its lease has lasted for long', async () => {
    const { cluster, dies } = await begin()
    for (let death = 0; death <= deathsForgiven; death++) await dies('n2', 12_000)
    expect(cluster.view.current().deaths).toEqual([{ node: 'n2', count: deathsForgiven + 1 }])
    await cluster.pass(returningDefaults.forgottenAfterMs + MINUTE_MS)
    expect(cluster.view.current().deaths).toEqual([])
    await dies('n2', 12_000)
    await cluster.pass(10_000)
    expect(cluster.countOf('n2')).toBeGreaterThan(40)
  })

  it('serves everything, however often it died, where there is no other', async () => {
    const { cluster, dies } = await begin()
    for (let death = 0; death <= deathsForgiven; death++) await dies('n2', 12_000)
    cluster.die('n3')
    await cluster.pass(6_000)
    expect(cluster.countOf('n2')).toBe(0)
    expect(cluster.countOf('n1')).toBe(256)
    const alone = new PlannedCluster(3, () => flat)
    await alone.join('n1')
    for (let death = 0; death <= deathsForgiven; death++) {
      alone.die('n1')
      await alone.join('n1')
      await alone.pass(3_000)
      expect(alone.countOf('n1')).toBe(256)
    }
  })
})
