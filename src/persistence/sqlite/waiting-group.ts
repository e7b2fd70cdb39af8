import type { LogSlot } from '../store-port.ts'
import { SlotPacker } from './packed-slots.ts'
import type { GroupRequest, ThreadCall } from './thread-messages.ts'

export type Waiting = { readonly resolve: (value: unknown) => void; readonly reject: (error: Error) => void }

/** What gathers while the thread is busy, and who waits for it. */
export class WaitingGroup {
  readonly #packer = new SlotPacker()
  readonly #calls: ThreadCall[] = []
  readonly #slotWaiting: Waiting[] = []
  readonly #callWaiting: Waiting[] = []

  get size(): number {
    return this.#slotWaiting.length + this.#callWaiting.length
  }

  addSlot(slot: LogSlot, waiting: Waiting): void {
    this.#packer.add(slot)
    this.#slotWaiting.push(waiting)
  }

  addCall(call: ThreadCall, waiting: Waiting): void {
    this.#calls.push(call)
    this.#callWaiting.push(waiting)
  }

  request(): GroupRequest {
    return { slots: this.#slotWaiting.length === 0 ? null : this.#packer.take(), calls: this.#calls }
  }

  /** In the order of the answer's indexes. */
  waiting(): readonly Waiting[] {
    return [...this.#slotWaiting, ...this.#callWaiting]
  }
}
