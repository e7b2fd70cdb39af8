import { vi } from 'vitest'

/** Waits until the check holds. The limit is for what never comes: a busy machine may take its time. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 60_000, interval: 20 })
