import type { JournalEntry } from './journal-port.ts'

export type BatchLimits = { readonly batchEntriesMax: number; readonly batchBytesMax: number }

/** Beside the events: ids, sequence, what the engine adds to a row. */
const ENTRY_OVERHEAD_BYTES = 128

/** A decided entry on its way into the journal, with whoever must hear of its commit. */
export type Pending<Owner, Waiter> = {
  readonly entry: JournalEntry
  readonly owner: Owner
  readonly bytes: number
  /** Order of decision within the shard. */
  readonly ordinal: number
  /** Entries of one whole follow each other and have the same number; they are never torn apart. */
  readonly whole: number
  readonly waiters: Waiter[]
}

/** Entries of one shard that wait for the batch before them: together they make the next one. */
export class GroupCommit<Owner, Waiter> {
  readonly #limits: BatchLimits
  #queue: Pending<Owner, Waiter>[] = []
  #bytes = 0
  #ordinal = 0

  constructor(limits: BatchLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#queue.length
  }

  add(owner: Owner, entry: JournalEntry, waiters: Waiter[]): Pending<Owner, Waiter> {
    return this.#push(owner, entry, waiters, ++this.#ordinal)
  }

  addWhole(
    entries: readonly { owner: Owner; entry: JournalEntry }[],
    waiters: Waiter[],
  ): Pending<Owner, Waiter>[] {
    const whole = this.#ordinal + 1
    return entries.map(({ owner, entry }, index) => {
      this.#ordinal++
      return this.#push(owner, entry, index === entries.length - 1 ? waiters : [], whole)
    })
  }

  /** The oldest entries that fit into one batch; a single one, or a whole, goes even when it is larger. */
  take(): readonly Pending<Owner, Waiter>[] {
    const { batchEntriesMax, batchBytesMax } = this.#limits
    if (this.#queue.length <= batchEntriesMax && this.#bytes <= batchBytesMax)
      return this.#takeFirst(this.#queue.length)
    let bytes = 0
    let fitting = 0
    for (let index = 0; index < this.#queue.length; index++) {
      const pending = this.#queue[index]
      if (pending === undefined) break
      bytes += pending.bytes
      if (fitting > 0 && (index >= batchEntriesMax || bytes > batchBytesMax)) break
      if (this.#queue[index + 1]?.whole !== pending.whole) fitting = index + 1
    }
    return this.#takeFirst(fitting)
  }

  clear(): readonly Pending<Owner, Waiter>[] {
    return this.#takeFirst(this.#queue.length)
  }

  #takeFirst(count: number): readonly Pending<Owner, Waiter>[] {
    const taken = count === this.#queue.length ? this.#queue : this.#queue.slice(0, count)
    this.#queue = count === this.#queue.length ? [] : this.#queue.slice(count)
    for (const pending of taken) this.#bytes -= pending.bytes
    return taken
  }

  #push(owner: Owner, entry: JournalEntry, waiters: Waiter[], whole: number): Pending<Owner, Waiter> {
    let bytes = ENTRY_OVERHEAD_BYTES
    for (const event of entry.events) bytes += event.length
    const pending = { entry, owner, bytes, ordinal: this.#ordinal, whole, waiters }
    this.#bytes += bytes
    this.#queue.push(pending)
    return pending
  }
}
