import { LRUCache } from 'lru-cache'
import { RecipientBusy } from '../../host/effects/not-begun.ts'
import type { Obstacle } from '../../ports/face-vendor.ts'

const KNOWN_MAX = 10_000
const FIRST_MS = 1_000
const MAX_MS = 60_000
/** Only people can mend a set-up. */
const SETUP_MS = 30_000
/** The time of a session runs, so what came of it is asked for again and again, and most of all before its end. */
const WAITING_MAX_MS = 8_000
const END_MS = 20_000

/** How long what a vendor has not done waits for its next try: longer each time, and never past the end of a session. */
export class VendorPauses {
  readonly #failures = new LRUCache<string, number>({ max: KNOWN_MAX })

  /** The effect stays owed, and comes again then. It is no failure of ours, so it is not reported as one. */
  after(what: string, obstacle: Obstacle | 'not-yet', leftMs = Number.POSITIVE_INFINITY): RecipientBusy {
    const failures = (this.#failures.get(what) ?? 0) + 1
    this.#failures.set(what, failures)
    const grownMs = Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10))
    const wantedMs = obstacle === 'not-yet' ? waitingMs(grownMs, leftMs) : wantedBy(obstacle, grownMs)
    // The last try is before the end, not behind it.
    const latestMs = leftMs > 2 * FIRST_MS ? leftMs - FIRST_MS : Number.POSITIVE_INFINITY
    return new RecipientBusy(Math.min(wantedMs, latestMs))
  }

  clear(what: string): void {
    this.#failures.delete(what)
  }
}

const waitingMs = (grownMs: number, leftMs: number): number =>
  leftMs < END_MS ? FIRST_MS : Math.min(grownMs, WAITING_MAX_MS)

const wantedBy = (obstacle: Obstacle, grownMs: number): number => {
  if (obstacle.kind === 'refused') return Math.max(grownMs, SETUP_MS)
  return Math.max(grownMs, obstacle.retryAfterMs ?? 0)
}
