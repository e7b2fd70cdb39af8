import { type AppendOutcome, type LogSlot, StoreFailure } from '../store-port.ts'
import type { SlotPacker } from './slot-file/packed-slots.ts'
import type { GroupAnswer, GroupRequest, ThreadCall, ThreadFailure } from './thread-messages.ts'

export type Waiting<Answer> = {
  readonly resolve: (value: Answer) => void
  readonly reject: (error: Error) => void
}

const WRITTEN: AppendOutcome = { is: 'written' }

/** Slots and calls that gather while the thread is busy, and the callers that wait for them. */
export class WaitingGroup {
  readonly #packer: SlotPacker
  readonly #calls: ThreadCall[] = []
  readonly #slotWaiting: Waiting<AppendOutcome>[] = []
  readonly #callWaiting: Waiting<unknown>[] = []

  constructor(packer: SlotPacker) {
    this.#packer = packer
  }

  get size(): number {
    return this.#slotWaiting.length + this.#callWaiting.length
  }

  get slots(): number {
    return this.#slotWaiting.length
  }

  addSlot(slot: LogSlot, waiting: Waiting<AppendOutcome>): void {
    this.#packer.add(slot)
    this.#slotWaiting.push(waiting)
  }

  addCall(call: ThreadCall, waiting: Waiting<unknown>): void {
    this.#calls.push(call)
    this.#callWaiting.push(waiting)
  }

  request(): GroupRequest {
    return { slots: this.#slotWaiting.length === 0 ? [] : [this.#packer.take()], calls: this.#calls }
  }

  reject(error: Error): void {
    for (const waiting of [...this.#slotWaiting, ...this.#callWaiting]) waiting.reject(error)
  }

  /**
   * Resolves every call that the answer does not name: it was done and has no value. Calls that are already settled
   * ignore it.
   */
  settleTheRest(): void {
    for (const { resolve } of this.#slotWaiting) resolve(WRITTEN)
    for (const { resolve } of this.#callWaiting) resolve(undefined)
  }

  /** Settles groups that the thread took into one transaction. */
  static settle(groups: readonly WaitingGroup[], { values, failures }: GroupAnswer): void {
    const slots = groups.flatMap((group) => group.#slotWaiting)
    const calls = groups.flatMap((group) => group.#callWaiting)
    for (const [index, failure] of failures) {
      const waiting = index < slots.length ? slots[index] : calls[index - slots.length]
      waiting?.reject(asError(failure))
    }
    for (const [index, value] of values) {
      if (index < slots.length) slots[index]?.resolve(value as AppendOutcome)
      else calls[index - slots.length]?.resolve(value)
    }
    for (const group of groups) group.settleTheRest()
  }
}

const asError = ({ is, message }: ThreadFailure): Error =>
  is === 'defect' ? new Error(message) : new StoreFailure(is, message)
