import { setTimeout as pause } from 'node:timers/promises'

const FIRST_PAUSE_MS = 250
const PAUSE_MS_MAX = 5_000
const GIVE_UP_AFTER_MS = 10 * 60_000

/** Tries again what failed only because somebody was away, for as long as a person would leave the phone at it. */
export const patiently = async <Value>(
  attempt: () => Promise<Value>,
  passes: (error: unknown) => boolean,
  stopping: AbortSignal,
): Promise<Value> => {
  const startedMs = performance.now()
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    try {
      return await attempt()
    } catch (error) {
      const late = performance.now() - startedMs > GIVE_UP_AFTER_MS
      if (late || stopping.aborted || !passes(error)) throw error
    }
    await pause(pauseMs, undefined, { signal: stopping })
  }
}
