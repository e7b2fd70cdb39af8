import { limits } from '../../domain/limits.ts'

/** Pause after the n-th failed attempt, counted from one: 5 s doubling, an hour at most. */
export const pauseAfterMs = (failedAttempts: number): number => {
  const seconds = limits.webhookBackoffFirstSeconds * 2 ** Math.min(failedAttempts - 1, 30)
  return Math.min(seconds, limits.webhookBackoffSecondsMax) * 1_000
}
