import type { Clock } from './ports.ts'

/** Waits no longer than this. What comes later is not heard. */
export const withinTime = async <Result>(
  clock: Pick<Clock, 'after'>,
  ms: number,
  work: Promise<Result>,
  late: () => Error,
): Promise<Result> => {
  let callOff = (): void => undefined
  const limit = new Promise<never>((_, reject) => {
    callOff = clock.after(ms, () => reject(late()))
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    callOff()
    work.catch(() => undefined)
  }
}

export const passed = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => void clock.after(ms, resolve))

const PART_MS = 1_000

/**
 * Counts the time in which the app runs. A phone stops an app in the middle of anything, for days, and what is due then
 * comes before all that was under way: of such a time a second counts, and no more.
 */
export const whileRunning = (clock: Pick<Clock, 'after'>): Pick<Clock, 'after'> => ({
  after(ms, work) {
    let callOff = (): void => undefined
    const wait = (leftMs: number): void => {
      const partMs = Math.min(leftMs, PART_MS)
      callOff = clock.after(partMs, () => (leftMs > partMs ? wait(leftMs - partMs) : work()))
    }
    wait(ms)
    return () => callOff()
  },
})
