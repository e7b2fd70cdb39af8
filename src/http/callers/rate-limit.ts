import { chain, type Eventually } from '../../domain/eventually.ts'
import type { Config } from '../../config/config.ts'
import { limits } from '../../domain/limits.ts'
import type { Caller } from './caller.ts'
import { problem, retryAfter, type Problem } from '../route/problem.ts'

type Headers = Readonly<Record<string, string>>

/** Whether the rate of the caller admits one request, with headers for the answer. */
export type Admission =
  | { readonly is: 'admitted'; readonly headers: Headers }
  | { readonly is: 'refused'; readonly problem: Problem<'rate_limited' | 'overloaded'> }

export type RateLimit = (caller: Caller) => Eventually<Admission> | null

const WINDOW_MS = limits.rateWindowSeconds * 1_000
const FULL_RETRY_MS = 1_000

/** Null for callers that have no rate of their own. */
export const rateLimitOf =
  (windows: RateWindows, rates: Config['rates']): RateLimit =>
  (caller) => {
    const counted = countedAs(caller, rates)
    if (counted === null) return null
    const [key, max] = counted
    const rate: Rate = { max, windowMs: WINDOW_MS }
    const decision = windows.take(key, rate)
    return chain(decision, (it) => admission(it, rate))
  }

const countedAs = (caller: Caller, rates: Config['rates']): readonly [string, number] | null => {
  if (caller.kind === 'api_key') return [caller.keyId, caller.ratePerMinute ?? rates.apiKeyRequestsPerMinute]
  if (caller.kind === 'wallet_token') return [caller.walletId, rates.walletTokenRequestsPerMinute]
  return null
}

const admission = (decision: RateDecision, rate: Rate): Admission => {
  if (decision.is === 'full') {
    const reason = 'Too many callers are being counted; try again.'
    return { is: 'refused', problem: problem('overloaded', reason, retryAfter(FULL_RETRY_MS)) }
  }
  const headers = rateHeaders(decision.remaining, decision.resetMs, rate)
  if (decision.is === 'admitted') return { is: 'admitted', headers }
  const reason = `More than ${rate.max} requests came within ${rate.windowMs / 1_000} seconds; wait before the next.`
  // A place is free only when its window is over, so a millisecond is added before rounding up.
  const wait = retryAfter(decision.resetMs + 1)
  return { is: 'refused', problem: problem('rate_limited', reason, { ...headers, ...wait }) }
}

/** As the IETF draft "RateLimit header fields for HTTP" writes them. */
const rateHeaders = (remaining: number, resetMs: number, { max }: Rate): Headers => ({
  RateLimit: `"default";r=${remaining};t=${Math.max(1, Math.ceil(resetMs / 1_000))}`,
  'RateLimit-Policy': policyOf(max),
})

let knownMax = 0
let knownPolicy = ''

/** Nearly every key has the same rate, so the last text is kept. */
const policyOf = (max: number): string => {
  if (max !== knownMax) [knownMax, knownPolicy] = [max, `"default";q=${max};w=${limits.rateWindowSeconds}`]
  return knownPolicy
}

/** At most `max` requests within any span of `windowMs`. */
export type Rate = { readonly max: number; readonly windowMs: number }

export type RateDecision =
  | { readonly is: 'admitted'; readonly remaining: number; readonly resetMs: number }
  | { readonly is: 'refused'; readonly remaining: 0; readonly resetMs: number }
  /** There is no room to count this key's requests. */
  | { readonly is: 'full' }

/** Counts the requests of keys. `resetMs`: after this the next place becomes free. */
export interface RateWindows {
  take(key: string, rate: Rate): Eventually<RateDecision>
}

/** The times of the last admitted requests, oldest first, in a ring that grows as it is needed. */
type Window = { times: Float64Array; first: number; count: number; windowMs: number; movedAt: number }

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

  take(key: string, { max, windowMs }: Rate): RateDecision {
    const now = this.#now()
    const window = this.#windowOf(key, windowMs, now)
    if (window === null) return { is: 'full' }
    // Two requests that lie exactly one window apart are still within one.
    while (window.count > 0 && now - oldest(window) > windowMs) forgetOldest(window)
    if (window.count >= max) return { is: 'refused', remaining: 0, resetMs: untilFree(window, max, now) }
    if (window.count === window.times.length && !this.#grow(window, max)) return { is: 'full' }
    window.times[(window.first + window.count) % window.times.length] = now
    window.count += 1
    return { is: 'admitted', remaining: max - window.count, resetMs: untilFree(window, window.count, now) }
  }

  /** The newest of them no longer counts. */
  takeBack(key: string): void {
    const window = this.#windows.get(key)
    if (window === undefined || window.count === 0) return
    window.count -= 1
    if (window.count > 0) return
    this.#windows.delete(key)
    this.#times -= window.times.length + WINDOW_COST
  }

  /** How many count now, and after what time the oldest of them no longer does. Looking counts nothing. */
  peek(key: string, windowMs: number): { readonly count: number; readonly freeMs: number } {
    const window = this.#windows.get(key)
    if (window === undefined) return { count: 0, freeMs: 0 }
    const now = this.#now()
    while (window.count > 0 && now - oldest(window) > windowMs) forgetOldest(window)
    return { count: window.count, freeMs: window.count === 0 ? 0 : oldest(window) + windowMs - now }
  }

  /** The windows stand in the order of their last use, to within a second, so that idle ones gather at the front. */
  #windowOf(key: string, windowMs: number, now: number): Window | null {
    const known = this.#windows.get(key)
    if (known !== undefined) {
      if (now - known.movedAt > MOVE_EVERY_MS) {
        this.#windows.delete(key)
        this.#windows.set(key, known)
        known.movedAt = now
      }
      known.windowMs = windowMs
      return known
    }
    if (!this.#hasRoom(RING_FIRST + WINDOW_COST)) return null
    const window = { times: new Float64Array(RING_FIRST), first: 0, count: 0, windowMs, movedAt: now }
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
const oldest = (window: Window): number => timeAt(window, 0)

const forgetOldest = (window: Window): void => {
  window.first = (window.first + 1) % window.times.length
  window.count -= 1
}

/** After a rate was lowered a window may hold more than `max` requests; then several have to leave it first. */
const untilFree = (window: Window, max: number, now: number): number =>
  timeAt(window, window.count - max) + window.windowMs - now

export type RateOwners = {
  /** Who counts this key's requests; null when it is this node. */
  readonly ownerOf: (key: string) => RateWindows | null
  /** How many nodes may admit requests of one key while its owner is away. */
  readonly nodes: () => number
}

/**
 * A key is counted in one place, so that its limit is the same through whichever node it comes. While that place can't
 * be reached, each node admits its share: a little too few rather than several times too many.
 */
export class OwnedRateWindows implements RateWindows {
  readonly #local: RateWindows
  readonly #owners: RateOwners

  constructor(local: RateWindows, owners: RateOwners) {
    this.#local = local
    this.#owners = owners
  }

  take(key: string, rate: Rate): Eventually<RateDecision> {
    const owner = this.#owners.ownerOf(key)
    if (owner === null) return this.#local.take(key, rate)
    return this.#ask(owner, key, rate)
  }

  async #ask(owner: RateWindows, key: string, rate: Rate): Promise<RateDecision> {
    try {
      return await owner.take(key, rate)
    } catch {
      const share = Math.max(1, Math.floor(rate.max / Math.max(1, this.#owners.nodes())))
      return this.#local.take(key, { ...rate, max: share })
    }
  }
}
