import type { LogSlot } from './store-port.ts'
import { eventCountOf } from './uncopied-slots.ts'

const EVENTS_MAX = 256

/** The last slots that were committed here, so that who follows the log closely reads nothing from the store. */
export class RecentSlots {
  readonly #slots: LogSlot[] = []
  #events = 0

  add(slot: LogSlot): void {
    this.#slots.push(slot)
    this.#events += eventCountOf(slot)
    while (this.#events > EVENTS_MAX) {
      const oldest = this.#slots.shift()
      if (oldest === undefined) return
      this.#events -= eventCountOf(oldest)
    }
  }

  /** Everything committed from `no` on; null when that is not known here. */
  since(no: number): readonly LogSlot[] | null {
    const first = this.#slots[0]
    return first === undefined || no < first.no ? null : this.#slots.slice(no - first.no)
  }
}
