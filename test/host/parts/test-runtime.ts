import { createRuntime } from '../../../src/host/runtime.ts'
import type { Runtime } from '../../../src/ports/runtime.ts'

export type TestRuntime = Runtime & { readonly forward: (ms: number) => void }

/** The time of day stands still until it is put forward, so that a test can say to the millisecond what it expects. */
export const stillRuntime = (): TestRuntime => {
  const running = testRuntime()
  let nowMs = running.now()
  return {
    ...running,
    now: () => nowMs,
    forward: (ms) => {
      running.forward(ms)
      nowMs += ms
    },
  }
}

/** Both clocks run as they do and can be put forward; whoever sleeps looks at them every few milliseconds. */
export const testRuntime = (): TestRuntime => {
  const real = createRuntime()
  let ahead = 0
  return {
    ...real,
    now: () => Math.floor(real.now() + ahead),
    monotonicMs: () => real.monotonicMs() + ahead,
    sleep: async (ms, signal) => {
      const end = real.monotonicMs() + ahead + ms
      while (real.monotonicMs() + ahead < end) await real.sleep(2, signal)
    },
    forward: (ms) => {
      if (!Number.isFinite(ms)) throw new RangeError('a clock goes forward by a number')
      ahead += ms
    },
  }
}
