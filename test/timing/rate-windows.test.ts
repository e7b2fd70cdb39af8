import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LocalRateWindows, type RateDecision } from '../../src/timing/rate-windows.ts'

const minute = { max: 300, windowMs: 60_000 }

const at = (timesMax = 1_000_000) => {
  const clock = { ms: 1_000 }
  const windows = new LocalRateWindows(() => clock.ms, timesMax)
  return { clock, windows }
}

describe('the window of a key', () => {
  it('admits 300 at once and refuses the 301st until the first is more than a minute ago', () => {
    const { clock, windows } = at()
    for (let each = 0; each < 300; each++)
      expect(windows.take('k', minute)).toMatchObject({ is: 'admitted', remaining: 299 - each })
    expect(windows.take('k', minute)).toEqual({ is: 'refused', remaining: 0, resetMs: 60_000 })
    clock.ms += 60_000
    expect(windows.take('k', minute).is).toBe('refused')
    clock.ms += 0.1
    expect(windows.take('k', minute).is).toBe('admitted')
  })

  it('is never over later than in a minute, whatever fraction the clock has', () => {
    for (let each = 0; each < 1_000; each++) {
      const { clock, windows } = at()
      clock.ms = each * 1_234.567_89
      expect(windows.take('k', minute)).toMatchObject({ resetMs: 60_000 })
    }
  })

  it('is looked at without counting', () => {
    const { clock, windows } = at()
    expect(windows.peek('k', 60_000)).toEqual({ count: 0, freeMs: 0 })
    expect(windows.size.windows).toBe(0)
    windows.take('k', minute)
    clock.ms += 10_000
    windows.take('k', minute)
    expect(windows.peek('k', 60_000)).toEqual({ count: 2, freeMs: 50_000 })
    clock.ms += 50_001
    expect(windows.peek('k', 60_000)).toEqual({ count: 1, freeMs: 9_999 })
  })

  it('counts one less when the newest is taken back', () => {
    const { windows } = at()
    const one = { max: 1, windowMs: 60_000 }
    expect([windows.take('k', one).is, windows.take('k', one).is]).toEqual(['admitted', 'refused'])
    windows.takeBack('k')
    windows.takeBack('unknown')
    expect(windows.take('k', one).is).toBe('admitted')
  })

  it('has nothing to do with that of another key', () => {
    const { windows } = at()
    const one = { max: 1, windowMs: 60_000 }
    expect(['a', 'a', 'b'].map((key) => windows.take(key, one).is)).toEqual([
      'admitted',
      'refused',
      'admitted',
    ])
  })

  it('is literal: whatever comes when, never more than the rate in any window, and never fewer than there is room for', () => {
    const seed = Date.now()
    const steps = fc.array(fc.nat(40), { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 9 }), (pauses, max) => {
        const { clock, windows } = at()
        const admitted: number[] = []
        for (const pause of pauses) {
          clock.ms += pause
          const within = admitted.filter((time) => clock.ms - time <= 100).length
          const decision: RateDecision = windows.take('k', { max, windowMs: 100 })
          expect(decision.is).toBe(within < max ? 'admitted' : 'refused')
          if (decision.is === 'admitted') admitted.push(clock.ms)
          if (decision.is !== 'refused') continue
          const [next] = admitted.slice(-max)
          expect(decision.resetMs).toBe((next ?? 0) + 100 - clock.ms)
        }
      }),
      { seed, numRuns: 200 },
    )
  })

  it('follows a rate that is lowered or raised in the middle', () => {
    const { clock, windows } = at()
    for (let each = 0; each < 10; each++) {
      windows.take('k', minute)
      clock.ms += 1
    }
    const lowered = { max: 3, windowMs: 60_000 }
    expect(windows.take('k', lowered)).toMatchObject({ is: 'refused', resetMs: 60_000 - 3 })
    expect(windows.take('k', minute).is).toBe('admitted')
  })

  it('gives its room back when nothing counts any more', () => {
    const { clock, windows } = at()
    for (let each = 0; each < 1_000; each++) windows.take(`k${each}`, minute)
    clock.ms += 60_001
    for (let each = 0; each < 501; each++) windows.take(`n${each}`, minute)
    expect(windows.size.windows).toBe(501)
  })

  it('is not opened beyond the bound of memory, and those that are open go on as long as they have room', () => {
    const { clock, windows } = at(100)
    expect(['a', 'b', 'c'].map((key) => windows.take(key, minute).is)).toEqual([
      'admitted',
      'admitted',
      'full',
    ])
    expect(windows.take('a', minute).is).toBe('admitted')
    expect(windows.size.times).toBeLessThanOrEqual(100)
    clock.ms += 60_001
    expect(windows.take('c', minute).is).toBe('admitted')
  })
})

describe('requests that were admitted elsewhere', () => {
  it('count at their own times, in whatever order they are told', () => {
    const { clock, windows } = at()
    const two = { max: 2, windowMs: 60_000 }
    clock.ms = 100_000
    windows.note('k', two, 90_000)
    windows.note('k', two, 50_000)
    expect(windows.timesOf('k')).toEqual([50_000, 90_000])
    expect(windows.take('k', two)).toEqual({ is: 'refused', remaining: 0, resetMs: 10_000 })
    clock.ms = 110_001
    expect(windows.take('k', two)).toMatchObject({ is: 'admitted', remaining: 0 })
  })

  it('push the oldest out where there are more than may be, and are forgotten together', () => {
    const { clock, windows } = at()
    const two = { max: 2, windowMs: 60_000 }
    for (const atMs of [10, 20, 30, 40, 50, 60]) windows.note('k', two, (clock.ms += atMs))
    expect(windows.timesOf('k')).toHaveLength(4)
    expect(windows.rateOf('k')).toEqual(two)
    windows.forget('k')
    expect([windows.timesOf('k'), windows.rateOf('k'), windows.size.times]).toEqual([[], null, 0])
  })

  it('places that are reserved are not given away', () => {
    const { windows } = at()
    const two = { max: 2, windowMs: 60_000 }
    expect(windows.take('k', two, 1)).toMatchObject({ is: 'admitted', remaining: 0 })
    expect(windows.take('k', two, 1).is).toBe('refused')
    expect(windows.take('k', two, 2)).toEqual({ is: 'refused', remaining: 0, resetMs: 60_000 })
    expect(windows.take('k', two)).toMatchObject({ is: 'admitted', remaining: 0 })
  })
})
