import { describe, expect, it } from 'vitest'
import { PoolHealth, type PoolStatus } from '../../src/ledger/pool-health.ts'
import { eventually } from '../eventually.ts'

describe('the health of the pool', () => {
  it('is that of its last refresh, and a failure is looked after before its time', async () => {
    let isThere = true
    let asked = 0
    const changes: boolean[] = []
    await using health = new PoolHealth({
      refresh: () => {
        asked += 1
        return isThere ? Promise.resolve() : Promise.reject(new Error('away'))
      },
      everyMs: 60_000,
      retryMs: 60_000,
      now: () => asked,
      changed: ({ isReachable }: PoolStatus) => changes.push(isReachable),
    })
    expect(health.status).toEqual({ isReachable: true, sinceMs: 0, refreshedMs: null })
    health.start()
    await eventually(() => expect(health.status.refreshedMs).toBe(1))
    isThere = false
    await Promise.all([health.check(), health.check()])
    expect(health.status).toEqual({ isReachable: false, sinceMs: 2, refreshedMs: 1 })
    // It is known to be away, and asked again when its time has come.
    await health.check()
    expect([asked, changes]).toEqual([2, [false]])
  })

  it('comes back by itself', async () => {
    let left = 3
    await using health = new PoolHealth({
      refresh: () => (left-- > 0 ? Promise.reject(new Error('away')) : Promise.resolve()),
      everyMs: 60_000,
      retryMs: 1,
      now: () => 0,
    })
    health.start()
    await eventually(() => expect(health.status).toMatchObject({ isReachable: true, refreshedMs: 0 }))
    expect(left).toBe(-1)
  })

  it('asks nothing once it has ended', async () => {
    let asked = 0
    const health = new PoolHealth({
      refresh: async () => void (asked += 1),
      everyMs: 1,
      retryMs: 1,
      now: () => 0,
    })
    await health[Symbol.asyncDispose]()
    health.start()
    await health.check()
    expect(asked).toBe(0)
  })
})
