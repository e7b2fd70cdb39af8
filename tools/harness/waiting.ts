import { setTimeout as pause } from 'node:timers/promises'

type Waiting = {
  readonly limitMs: number
  readonly everyMs?: number
  /** What to throw after the limit. */
  readonly otherwise: () => Error
}

/** Looks again and again, until there is something that is neither false nor null nor undefined. */
export const untilFound = async <Found>(
  look: () => Found | Promise<Found>,
  { limitMs, everyMs = 20, otherwise }: Waiting,
): Promise<Exclude<Found, false | null | undefined>> => {
  const startedMs = performance.now()
  for (;;) {
    const found = await look()
    if (found !== false && found !== null && found !== undefined)
      return found as Exclude<Found, false | null | undefined>
    if (performance.now() - startedMs > limitMs) throw otherwise()
    await pause(everyMs)
  }
}
