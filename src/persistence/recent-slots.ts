import type { LogSlot } from './store-port.ts'
import { eventCountOf } from './uncopied-slots.ts'

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
    const most = this.#unasked === UNASKED_MAX ? 0 : EVENTS_MAX
    while (this.#events > most) {
      const oldest = this.#slots.shift()
      if (oldest === undefined) return
      this.#events -= eventCountOf(oldest)
    }
  }

  /** Everything committed from `no` on; null when that is not known here. */
  since(no: number): readonly LogSlot[] | null {
    this.#unasked = 0
    const first = this.#slots[0]
    return first === undefined || no < first.no ? null : this.#slots.slice(no - first.no)
  }
}
