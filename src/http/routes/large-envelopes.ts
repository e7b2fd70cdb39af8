import { limits } from '../../domain/limits.ts'
import { LocalRateWindows } from '../../timing/rate-windows.ts'
import { networkOf } from '../server/address.ts'

/** 4 MB at most: 14,000 connections and networks that send large messages within a minute. */
const TIMES_MAX = 524_288
const WINDOW_MS = 60_000
const FULL_RETRY_MS = 10_000

/**
 * How often senders that are known may send large messages: a connection is had for one handshake, and each such
 * message keeps the event loop for tens of milliseconds. Counted in the memory of the node.
 */
export class LargeEnvelopes {
  readonly #windows: LocalRateWindows

  constructor(monotonicMs: () => number) {
    this.#windows = new LocalRateWindows(monotonicMs, TIMES_MAX)
  }

  /** How long the sender has to wait; null when the message may come now, and then it counts. */
  take(address: string, from: string): number | null {
    return (
      this.#count(`at ${address}`, limits.largeEnvelopesOfConnectionPerMinute) ??
      this.#count(`from ${networkOf(from)}`, limits.largeEnvelopesOfNetworkPerMinute)
    )
  }

  #count(key: string, max: number): number | null {
    const taken = this.#windows.take(key, { max, windowMs: WINDOW_MS })
    if (taken.is === 'admitted') return null
    return taken.is === 'full' ? FULL_RETRY_MS : taken.resetMs + 1
  }
}
