import { describe, expect, it } from 'vitest'
import { HostClock, REST_MS_MAX, STEP_MS } from '../../src/host/host-clock.ts'

/** A clock that jumps to the end of each sleep as soon as `pass` lets it. */
const virtualTime = () => {
  let nowMs = 1_000
  let sleeping: { readonly untilMs: number; readonly wake: () => void } | null = null
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    monotonicMs: () => nowMs,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((wake, reject) => {
        sleeping = { untilMs: nowMs + ms, wake }
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      }),
    pass: async (ms: number) => {
      const endMs = nowMs + ms
      for (await turn(); sleeping !== null && sleeping.untilMs <= endMs; await turn()) {
        nowMs = sleeping.untilMs
        sleeping.wake()
        sleeping = null
      }
      nowMs = endMs
    },
  }
}

const clockThatSteps = (dueIn: (nowMs: number) => number) => {
  const time = virtualTime()
  const startedMs = time.monotonicMs()
  const clock = new HostClock(time)
  const steps: number[] = []
  const running = clock.run((nowMs) => {
    steps.push(nowMs - startedMs)
    return nowMs + dueIn(nowMs - startedMs)
  })
  return { clock, time, steps, running }
}

describe('the clock of a host', () => {
  it('rests until something is due, and looks at the time of day once a second', async () => {
    const { time, steps } = clockThatSteps((atMs) => (atMs < 500 ? 650 - atMs : Number.POSITIVE_INFINITY))
    await time.pass(4_000)
    expect(steps).toEqual([STEP_MS, 650, 650 + REST_MS_MAX, 650 + 2 * REST_MS_MAX, 650 + 3 * REST_MS_MAX])
  })

  it('does together what is due within a step, and comes again for what could not be done', async () => {
    const { time, steps } = clockThatSteps(() => Number.NEGATIVE_INFINITY)
    await time.pass(4 * STEP_MS)
    expect(steps).toEqual([STEP_MS, 2 * STEP_MS, 3 * STEP_MS, 4 * STEP_MS])
  })

  it('is woken by what is wanted sooner, once for many', async () => {
    const { clock, time, steps } = clockThatSteps(() => Number.POSITIVE_INFINITY)
    await time.pass(200)
    clock.wanted(300)
    clock.wanted(120)
    clock.wanted(250)
    clock.wanted(REST_MS_MAX)
    await time.pass(900)
    expect(steps).toEqual([STEP_MS, 320])
  })

  it('does not forget what is wanted while it steps', async () => {
    const { clock, time, steps } = clockThatSteps((atMs) => {
      if (atMs === STEP_MS) clock.wanted(0)
      return Number.POSITIVE_INFINITY
    })
    await time.pass(500)
    expect(steps).toEqual([STEP_MS, 2 * STEP_MS])
  })

  it('stops at once, also while it rests', async () => {
    const { clock, time, steps, running } = clockThatSteps(() => Number.POSITIVE_INFINITY)
    await time.pass(100)
    clock.stop()
    await running
    clock.wanted(0)
    await time.pass(5_000)
    expect(steps).toEqual([STEP_MS])
  })
})
