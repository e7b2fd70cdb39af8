import type { Listener, LiveEvent } from './live-events.ts'

type AskingAgainOptions = {
  readonly ask: () => void
  /** How often, while nothing tells of changes. */
  readonly everyMs: number
  /** Whether an event changes the answer; null where none ever does. */
  readonly isChangedBy: ((event: LiveEvent) => boolean) | null
  readonly events: { readonly isLive: boolean; readonly listen: (listener: Listener) => () => void }
  /** Whether somebody looks at the page, and when they come back to it. */
  readonly sight: { readonly isSeen: () => boolean; readonly whenSeen: (listener: () => void) => () => void }
}

/** While the stream tells what happens, the clock is there for what no event tells, and may be slower. */
const CALMER = 5
const SOON_MS = 250
/** The lists follow the events, so what was asked at once is asked once more. */
const SETTLED_MS = 3_000
const BURST_GAP_MS = 1_000

/**
 * When a page asks again: soon after an event that changes the answer, by the clock where the stream is cut, not while
 * nobody looks at the page, and not before a time that the service named.
 */
export class AskingAgain {
  readonly #options: AskingAgainOptions
  readonly #stops: readonly (() => void)[]
  #timer: ReturnType<typeof setTimeout> | undefined
  #isUnderWay = true
  #isDue = false
  /** Asks that an event still wants: one at once, and one when the lists have settled. */
  #wanted = 0
  #askedAtMs = Number.NEGATIVE_INFINITY
  #notBeforeMs = 0

  constructor(options: AskingAgainOptions) {
    this.#options = options
    const { events, sight, isChangedBy } = options
    this.#stops = [
      sight.whenSeen(() => this.#isDue && this.#ask()),
      ...(isChangedBy === null ? [] : [events.listen((event) => this.#told(event, isChangedBy))]),
    ]
  }

  answered(retryAfterSeconds: number | null): void {
    this.#isUnderWay = false
    this.#notBeforeMs = Date.now() + (retryAfterSeconds ?? 0) * 1_000
    this.#askIn(this.#pauseMs())
  }

  stop(): void {
    clearTimeout(this.#timer)
    for (const stop of this.#stops) stop()
  }

  #told(event: LiveEvent | null, isChangedBy: (event: LiveEvent) => boolean): void {
    if (event === null) this.#wanted = Math.max(this.#wanted, 1)
    else if (isChangedBy(event)) this.#wanted = 2
    else return
    if (!this.#isUnderWay) this.#askIn(this.#pauseMs())
  }

  #pauseMs(): number {
    const { everyMs, isChangedBy, events } = this.#options
    if (this.#wanted === 2) {
      // However much happens at once, a page asks once for it in a while.
      const gapMs = Math.max(BURST_GAP_MS, everyMs / 5)
      return Math.max(SOON_MS, this.#askedAtMs + gapMs - Date.now())
    }
    if (this.#wanted === 1) return Math.min(SETTLED_MS, everyMs)
    return isChangedBy !== null && events.isLive ? everyMs * CALMER : everyMs
  }

  #askIn(pauseMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#due(), Math.max(pauseMs, this.#notBeforeMs - Date.now()))
  }

  #due(): void {
    if (this.#options.sight.isSeen()) this.#ask()
    else this.#isDue = true
  }

  #ask(): void {
    this.#isDue = false
    this.#isUnderWay = true
    this.#askedAtMs = Date.now()
    if (this.#wanted > 0) this.#wanted -= 1
    this.#options.ask()
  }
}
