import { describe, expect, it } from 'vitest'
import { LeaseClock } from '../../src/cluster/lease-clock.ts'
import { NodeSession } from '../../src/cluster/lease-session.ts'
import { createRuntime } from '../../src/host/runtime.ts'

const VALID_MS = 7_000

/** A lease that was renewed just now, by clocks that go as they are set. */
const renewed = () => {
  const clocks = { monotonicMs: 1_000, wallMs: 1_700_000_000_000 }
  const runtime = { ...createRuntime(), monotonicMs: () => clocks.monotonicMs, now: () => clocks.wallMs }
  const clock = new LeaseClock(runtime)
  const session = new NodeSession(clock, 'n1~a')
  const renew = () => session.renewed(clock.nowMs(), VALID_MS)
  const pass = (ms: number) => {
    clocks.monotonicMs += ms
    clocks.wallMs += ms
  }
  const set = (byMs: number) => {
    clocks.wallMs += byMs
  }
  renew()
  return { clock, session, renew, pass, set, suspend: set }
}

describe('the time of a lease', () => {
  it('goes on while the machine is suspended', () => {
    const { session, pass, suspend, renew } = renewed()
    pass(1_000)
    suspend(5_899)
    expect(session.valid()).toBe(true)
    suspend(101)
    expect(session.valid()).toBe(false)
    renew()
    expect(session.valid()).toBe(true)
  })

  it('counts many short sleeps like a long one', () => {
    const { session, pass, suspend } = renewed()
    let slept = 0
    for (; session.valid(); slept++) {
      pass(10)
      suspend(60)
    }
    expect(slept * 70).toBeLessThanOrEqual(VALID_MS + 170)
  })

  it('is not lengthened by a wall clock that is set back, and a sleep after that counts', () => {
    const { session, pass, set, suspend } = renewed()
    set(-3_600_000)
    expect(session.valid()).toBe(true)
    pass(VALID_MS - 1)
    expect(session.valid()).toBe(true)
    suspend(60_000)
    expect(session.valid()).toBe(false)
    set(-3_600_000)
    expect(session.valid()).toBe(false)
  })

  it('is over early where a wall clock is set forward, and as long as ever after the next renewal', () => {
    const { session, pass, set, renew } = renewed()
    set(3_600_000)
    expect(session.valid()).toBe(false)
    renew()
    pass(VALID_MS - 1)
    expect(session.valid()).toBe(true)
    pass(1)
    expect(session.valid()).toBe(false)
  })

  it('is that of the monotonic clock as long as both go alike, however often and roundly they are read', () => {
    const { clock, pass, set } = renewed()
    const startMs = clock.nowMs()
    for (let count = 0; count < 10_000; count++) {
      pass(1)
      set(count % 2 === 0 ? 1 : -1)
      clock.nowMs()
    }
    expect(clock.nowMs() - startMs).toBe(10_000)
  })
})
