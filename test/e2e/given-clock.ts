import { createRuntime } from '../../src/host/runtime.ts'
import type { Runtime } from '../../src/ports/runtime.ts'

export type GivenClock = {
  readonly runtime: Runtime
  /** Shows this time until it runs again. */
  hold(atMs: number): void
  run(): void
}

/**
 * A wall clock that is set at will. What is measured by the other clock (leases, how long a sleep is) goes on as it
 * does, as on a machine whose clock is set.
 */
export const clockFrom = (startMs: number): GivenClock => {
  const real = createRuntime()
  let ahead = startMs - real.now()
  let held: number | null = null
  return {
    runtime: { ...real, now: () => held ?? real.now() + ahead },
    hold: (atMs) => {
      held = atMs
    },
    run: () => {
      if (held !== null) ahead = held - real.now()
      held = null
    },
  }
}
