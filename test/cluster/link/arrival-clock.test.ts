import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ArrivalClock } from '../../../src/cluster/link/arrival-clock.ts'

describe('the clock of arrivals', () => {
  it('finds how long a batch was held up, however far the clocks are apart', () => {
    const delays = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(fc.integer({ min: -1e9, max: 1e9 }), delays, (apartMs, given) => {
        const clock = new ArrivalClock()
        let arrivedMs = 0
        let shortest = Number.POSITIVE_INFINITY
        for (const [index, delayMs] of given.entries()) {
          const sentMs = index * 100
          arrivedMs = Math.max(arrivedMs, sentMs + delayMs)
          shortest = Math.min(shortest, arrivedMs - sentMs)
          expect(clock.delayMs(sentMs + apartMs, arrivedMs)).toBe(arrivedMs - sentMs - shortest)
        }
      }),
    )
  })

  it('follows clocks that drift apart, and one that stood still', () => {
    const clock = new ArrivalClock()
    for (let second = 0; second < 100_000; second++)
      expect(clock.delayMs(second * 1_000, second * 1_000.1)).toBeLessThan(10)
    const standing = new ArrivalClock()
    for (let second = 0; second < 10; second++) standing.delayMs(second * 1_000, second * 1_000)
    expect(standing.delayMs(10_000, 70_000)).toBe(60_000)
    expect(standing.delayMs(11_000, 71_000)).toBe(60_000)
    for (let second = 12; second < 120; second++) standing.delayMs(second * 1_000, (second + 60) * 1_000)
    expect(standing.delayMs(120_000, 180_000)).toBe(0)
  })
})
