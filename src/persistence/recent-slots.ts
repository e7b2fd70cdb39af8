import type { LogSlot } from './store-port.ts'
import { eventCountOf } from './uncopied-slots.ts'

/** A follower is a slot or two behind, or so far that it reads the store: more than these only fills memory. */
const ENOUGH_SLOTS = 4
const ENOUGH_EVENTS = 64
const EVENTS_MAX = 256
/** After so many slots that nobody asked for, whoever followed has stopped. */
const UNASKED_MAX = 64

/**
 * The last slots that were committed here, so that who follows the log closely reads nothing from the store. Kept only
 * while somebody follows: slots that live for a while and then go are what a garbage collector finds hardest.
 */
export class RecentSlots {
  readonly #slots: LogSlot[] = []
  #events = 0
  #unasked = UNASKED_MAX

  add(slot: LogSlot): void {
    if (this.#unasked === UNASKED_MAX) return
    this.#unasked++
    this.#slots.push(slot)
    this.#events += eventCountOf(slot)
    while (this.#isTooMuch()) {
      const oldest = this.#slots.shift()
      if (oldest === undefined) return
      this.#events -= eventCountOf(oldest)
    }
  }

  #isTooMuch(): boolean {
    if (this.#unasked === UNASKED_MAX || this.#events > EVENTS_MAX) return true
    return this.#slots.length > ENOUGH_SLOTS && this.#events > ENOUGH_EVENTS
  }

  /** Everything committed from `no` on; null when that is not known here. */
  since(no: number): readonly LogSlot[] | null {
    this.#unasked = 0
    const first = this.#slots[0]
    return first === undefined || no < first.no ? null : this.#slots.slice(no - first.no)
  }
}
