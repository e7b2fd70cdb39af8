import type { LogSlot } from './store-port.ts'
import { eventCountOf } from './uncopied-slots.ts'

/** A follower is one or two slots behind, or so far behind that it reads the store: keeping more only fills memory. */
const ENOUGH_SLOTS = 4
const ENOUGH_EVENTS = 64
const EVENTS_MAX = 256
/** After this many slots without a read, all followers have stopped. */
const UNASKED_MAX = 64

/**
 * The slots committed last in this process, so that a reader who follows the log closely reads nothing from the store.
 * They are kept only while a reader follows, because objects that live for a while and then go cost the garbage
 * collector most.
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

  /** The slots from `no` on; null when older ones than these would be needed. */
  since(no: number): readonly LogSlot[] | null {
    this.#unasked = 0
    const first = this.#slots[0]
    return first === undefined || no < first.no ? null : this.#slots.slice(no - first.no)
  }
}
