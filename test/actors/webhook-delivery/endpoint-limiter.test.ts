import { describe, expect, it } from 'vitest'
import {
  EndpointLimiters,
  endpointLimitDefaults,
} from '../../../src/actors/webhook-delivery/endpoint-limiter.ts'

const world = (settings = endpointLimitDefaults) => {
  const clock = { nowMs: 1_000 }
  const limiters = new EndpointLimiters(settings, { monotonicMs: () => clock.nowMs })
  const begun: string[] = []
  const enter = (endpoint: string, count: number): readonly (number | null)[] =>
    Array.from({ length: count }, () => limiters.of(endpoint).enter(() => begun.push(endpoint)))
  return { clock, limiters, begun, enter }
}
const { atOnceMax, waitingMax, failuresMax, atOnceFailingMax } = endpointLimitDefaults

describe('the limiters of endpoints', () => {
  it('let so many through at once, so many wait, and send the others away', () => {
    const { begun, enter } = world()
    const answers = enter('slow', atOnceMax + waitingMax + 1)
    expect(begun).toHaveLength(atOnceMax)
    expect(answers.slice(0, -1).every((answer) => answer === null)).toBe(true)
    // Half of what those take that wait, at the pace that is guessed at first.
    expect(answers.at(-1)).toBe(1_600)
  })

  it('have those come again soon whose endpoint answers quickly', () => {
    const { limiters, enter } = world()
    for (let count = 0; count < 100; count++) limiters.of('quick').note(true, 20)
    enter('quick', atOnceMax + waitingMax)
    expect(enter('quick', 1)).toEqual([250])
  })

  it('share nothing: a full one holds nobody else up', () => {
    const { begun, enter } = world()
    enter('slow', 1_000)
    enter('quick', 1)
    expect(begun.filter((endpoint) => endpoint === 'quick')).toHaveLength(1)
  })

  it('let the next one through when one has left', () => {
    const { limiters, begun, enter } = world()
    enter('slow', atOnceMax + 1)
    limiters.of('slow').leave()
    expect(begun).toHaveLength(atOnceMax + 1)
  })

  it('spread a long backlog over the time it will take, ten minutes at most', () => {
    const { limiters, enter } = world()
    for (let count = 0; count < 100; count++) limiters.of('slow').note(true, 8_000)
    enter('slow', atOnceMax + waitingMax)
    const pauses = enter('slow', 2_000).map((pause) => pause ?? 0)
    expect(pauses[0]).toBe(5_000)
    expect((pauses[201] ?? 0) - (pauses[1] ?? 0)).toBeCloseTo((200 * 8_000) / atOnceMax, -3)
    expect(Math.max(...pauses)).toBe(600_000)
  })

  it('together keep a bounded number waiting, and each a few when that is reached', () => {
    const { begun, enter } = world({ ...endpointLimitDefaults, waitingTotalMax: 100 })
    enter('a', 1_000)
    expect(enter('b', atOnceMax + 1).every((answer) => answer === null)).toBe(true)
    expect(begun.filter((endpoint) => endpoint === 'b')).toHaveLength(atOnceMax)
    expect(enter('b', 1_000).filter((answer) => answer === null)).toHaveLength(atOnceMax - 1)
  })

  it('narrow for an endpoint that fails every time, and widen when it answers', () => {
    const { limiters, begun, enter } = world()
    for (let count = 0; count < failuresMax; count++) limiters.of('dead').note(false, 10)
    enter('dead', atOnceMax)
    expect(begun).toHaveLength(atOnceFailingMax)
    limiters.of('dead').note(true, 10)
    limiters.of('dead').leave()
    expect(begun).toHaveLength(atOnceMax)
  })

  it('are remembered for the endpoints used last, not for all that ever were', () => {
    const { limiters } = world()
    for (let count = 0; count < 12_000; count++) {
      const limiter = limiters.of(`endpoint ${count}`)
      limiter.enter(() => undefined)
      limiter.leave()
    }
    expect(limiters.count).toBe(10_000)
  })
})
