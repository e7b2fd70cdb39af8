/** At most `max` requests within any span of `windowMs`. */
export type Rate = { readonly max: number; readonly windowMs: number }

export type RateDecision =
  | { readonly is: 'admitted'; readonly remaining: number; readonly resetMs: number }
  | { readonly is: 'refused'; readonly remaining: 0; readonly resetMs: number }
  /** There is no room to count this key's requests. */
  | { readonly is: 'full' }

/** Counts the requests of keys. `resetMs`: after this the next place becomes free. */
export interface RateWindows {
  take(key: string, rate: Rate): RateDecision | Promise<RateDecision>
  /** The request that was admitted last is refused for another reason, and is to count no longer where that can be. */
  takeBack(key: string): void
}

/** The times of the last admitted requests, oldest first, in a ring that grows as it is needed. */
type Window = {
  times: Float64Array
  first: number
  count: number
  max: number
  windowMs: number
  movedAt: number
}

const RING_FIRST = 4
const MOVE_EVERY_MS = 1_000
/** The memory of a window beside its times, in units of one time (eight bytes). */
const WINDOW_COST = 32

/**
 * Literal sliding windows in this process's memory: every admitted request counts until its time is over, refused ones
 * never do. Memory is bounded by the number of times that are kept; windows in which nothing counts any more go first.
 */
export class LocalRateWindows implements RateWindows {
  readonly #now: () => number
  readonly #timesMax: number
  readonly #windows = new Map<string, Window>()
  #times = 0

  /** `now` must never go back. */
  constructor(now: () => number, timesMax: number) {
    this.#now = now
    this.#timesMax = timesMax
  }

  /** How many windows are kept, and how many times fit into the memory they take. */
  get size(): { readonly windows: number; readonly times: number } {
    return { windows: this.#windows.size, times: this.#times }
  }

  /** `reserved`: places that are neither counted nor free. */
  take(key: string, rate: Rate, reserved = 0): RateDecision {
    const now = this.#now()
    const { windowMs } = rate
    const max = rate.max - reserved
    const window = this.#windowOf(key, rate, now)
    if (window === null) return { is: 'full' }
    // Two requests that lie exactly one window apart are still within one.
    while (window.count > 0 && now - oldest(window) > windowMs) forgetOldest(window)
    if (window.count >= max) return { is: 'refused', remaining: 0, resetMs: untilFree(window, max, now) }
    if (window.count === window.times.length && !this.#grow(window, max)) return { is: 'full' }
    setTime(window, window.count, now)
    window.count += 1
    return { is: 'admitted', remaining: max - window.count, resetMs: untilFree(window, window.count, now) }
  }

  /** The newest of them no longer counts. */
  takeBack(key: string): void {
    const window = this.#windows.get(key)
    if (window === undefined || window.count === 0) return
    window.count -= 1
    if (window.count === 0) this.forget(key)
  }

  /** How many count now, and after what time the oldest of them no longer does. Looking counts nothing. */
  peek(key: string, windowMs: number): { readonly count: number; readonly freeMs: number } {
    const window = this.#windows.get(key)
    if (window === undefined) return { count: 0, freeMs: 0 }
    const now = this.#now()
    while (window.count > 0 && now - oldest(window) > windowMs) forgetOldest(window)
    return { count: window.count, freeMs: window.count === 0 ? 0 : windowMs - (now - oldest(window)) }
  }

  /** Counts a request that was admitted elsewhere, at a time that is over. */
  note(key: string, { max, windowMs }: Rate, atMs: number): void {
    const now = this.#now()
    const window = this.#windowOf(key, { max, windowMs }, now)
    if (window === null) return
    while (window.count > 0 && now - oldest(window) > windowMs) forgetOldest(window)
    // More than may be are counted where nodes had to admit shares of their own; then the newest say when there is room.
    if (window.count === window.times.length && window.count >= max) forgetOldest(window)
    if (window.count === window.times.length && !this.#grow(window, max)) return
    let index = window.count
    for (; index > 0 && timeAt(window, index - 1) > atMs; index--)
      setTime(window, index, timeAt(window, index - 1))
    setTime(window, index, atMs)
    window.count += 1
  }

  /** The times that count now, the oldest first. */
  timesOf(key: string): readonly number[] {
    const window = this.#windows.get(key)
    if (window === undefined) return []
    const now = this.#now()
    while (window.count > 0 && now - oldest(window) > window.windowMs) forgetOldest(window)
    return Array.from({ length: window.count }, (_, index) => timeAt(window, index))
  }

  /** Nothing that was counted of the key before counts any more. */
  forget(key: string): void {
    const window = this.#windows.get(key)
    if (window === undefined) return
    this.#windows.delete(key)
    this.#times -= window.times.length + WINDOW_COST
  }

  /** The rate that the key had last. */
  rateOf(key: string): Rate | null {
    const window = this.#windows.get(key)
    return window === undefined ? null : { max: window.max, windowMs: window.windowMs }
  }

  keys(): Iterable<string> {
    return this.#windows.keys()
  }

  /** The windows stand in the order of their last use, to within a second, so that idle ones gather at the front. */
  #windowOf(key: string, { max, windowMs }: Rate, now: number): Window | null {
    const known = this.#windows.get(key)
    if (known !== undefined) {
      if (now - known.movedAt > MOVE_EVERY_MS) {
        this.#windows.delete(key)
        this.#windows.set(key, known)
        known.movedAt = now
      }
      known.windowMs = windowMs
      known.max = max
      return known
    }
    if (!this.#hasRoom(RING_FIRST + WINDOW_COST)) return null
    const window = { times: new Float64Array(RING_FIRST), first: 0, count: 0, max, windowMs, movedAt: now }
    this.#times += RING_FIRST + WINDOW_COST
    this.#windows.set(key, window)
    return window
  }

  #grow(window: Window, max: number): boolean {
    const length = Math.min(window.times.length * 2, Math.max(max, RING_FIRST))
    if (!this.#hasRoom(length - window.times.length)) return false
    const times = new Float64Array(length)
    for (let index = 0; index < window.count; index++) times[index] = timeAt(window, index)
    this.#times += length - window.times.length
    window.times = times
    window.first = 0
    return true
  }

  #hasRoom(more: number): boolean {
    // One or two at each step: idle windows go faster than new ones come, and no step takes long.
    this.#dropIdle(2)
    if (this.#times + more <= this.#timesMax) return true
    this.#dropIdle(this.#windows.size)
    return this.#times + more <= this.#timesMax
  }

  #dropIdle(atMost: number): void {
    const now = this.#now()
    let dropped = 0
    for (const [key, window] of this.#windows) {
      const newest = window.count === 0 ? Number.NEGATIVE_INFINITY : timeAt(window, window.count - 1)
      if (dropped >= atMost || now - newest <= window.windowMs) return
      this.#windows.delete(key)
      this.#times -= window.times.length + WINDOW_COST
      dropped += 1
    }
  }
}

const timeAt = ({ times, first }: Window, index: number): number => times[(first + index) % times.length] ?? 0
const setTime = ({ times, first }: Window, index: number, atMs: number): void => {
  times[(first + index) % times.length] = atMs
}
const oldest = (window: Window): number => timeAt(window, 0)

const forgetOldest = (window: Window): void => {
  window.first = (window.first + 1) % window.times.length
  window.count -= 1
}

/**
 * After a rate was lowered a window may hold more than `max` requests; then several have to leave it first. The age is taken
 * first: a time with a fraction to which the window is added and from which it is taken again would be more than the window.
 */
const untilFree = (window: Window, max: number, now: number): number =>
  max > 0 ? window.windowMs - (now - timeAt(window, window.count - max)) : window.windowMs
