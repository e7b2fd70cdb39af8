import { describe, expect, it } from 'vitest'
import { Residency, type Sleeper } from '../../src/host/eviction.ts'

const crowd = (residency: Residency) => {
  const left: string[] = []
  const come = (name: string, nowMs: number, idle = true) => {
    const sleeper: Sleeper & { idle: boolean } = {
      idle,
      usedMs: 0,
      older: null,
      newer: null,
      passivate: () => {
        left.push(name)
        residency.remove(sleeper)
      },
    }
    residency.add(sleeper, nowMs)
    return sleeper
  }
  return { left, come }
}

describe('residency', () => {
  it('makes room by putting the least recently used to sleep', () => {
    const residency = new Residency({ residentMax: 2, idleMs: 1_000 })
    const { left, come } = crowd(residency)
    const first = come('a', 0)
    come('b', 0)
    residency.touch(first, 1)
    come('c', 2)
    expect(left).toEqual(['b'])
    expect(residency.count).toBe(2)
  })

  it('passes over those that are busy', () => {
    const residency = new Residency({ residentMax: 1, idleMs: 1_000 })
    const { left, come } = crowd(residency)
    come('busy', 0, false)
    come('b', 0)
    expect(left).toEqual(['b'])
  })

  it('puts whoever was idle for long enough to sleep', () => {
    const residency = new Residency({ residentMax: 10, idleMs: 1_000 })
    const { left, come } = crowd(residency)
    come('a', 0)
    come('b', 500)
    residency.passivateIdle(1_200)
    expect(left).toEqual(['a'])
    residency.passivateIdle(1_600)
    expect(left).toEqual(['a', 'b'])
    expect(residency.count).toBe(0)
  })

  it('comes back to those that were too many and busy', () => {
    const residency = new Residency({ residentMax: 1, idleMs: 1_000_000 })
    const { left, come } = crowd(residency)
    const all = ['a', 'b', 'c'].map((name) => come(name, 0, false))
    for (const sleeper of all) sleeper.idle = true
    residency.passivateIdle(10)
    expect(left).toHaveLength(2)
  })
})
