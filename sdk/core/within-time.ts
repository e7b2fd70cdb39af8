import type { Clock } from './ports.ts'

/** Waits no longer than this. What comes later is not heard. */
export const withinTime = async <Result>(
  clock: Clock,
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
