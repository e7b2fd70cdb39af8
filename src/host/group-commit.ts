import type { JournalEntry } from '../ports/journal.ts'

export type BatchLimits = { readonly batchEntriesMax: number; readonly batchBytesMax: number }

/** Beside the events: ids, sequence, what the engine adds to a row. */
const ENTRY_OVERHEAD_BYTES = 128

/** A decided entry on its way into the journal, with whoever must hear of its commit. */
export class Pending<Owner, Waiter> {
  readonly owner: Owner
  readonly entry: JournalEntry
  readonly bytes: number
  /** Order of decision within the shard. */
  readonly ordinal: number
  /** Entries of one whole follow each other and have the same number; they are never torn apart. */
  readonly whole: number
  /** Behind it in the queue, then in the batch. */
  next: Pending<Owner, Waiter> | null = null
  #waiter: Waiter | null
  #others: Waiter[] | null = null

  constructor(owner: Owner, entry: JournalEntry, waiter: Waiter | null, ordinal: number, whole: number) {
    this.owner = owner
    this.entry = entry
    this.bytes = bytesOf(entry)
    this.ordinal = ordinal
    this.whole = whole
    this.#waiter = waiter
  }

  addWaiter(waiter: Waiter): void {
    if (this.#waiter === null) this.#waiter = waiter
    else if (this.#others === null) this.#others = [waiter]
    else this.#others.push(waiter)
  }

  forEachWaiter(tell: (waiter: Waiter, owner: Owner) => void): void {
    if (this.#waiter !== null) tell(this.#waiter, this.owner)
    if (this.#others !== null) for (const waiter of this.#others) tell(waiter, this.owner)
  }
}

const bytesOf = ({ events }: JournalEntry): number => {
  let bytes = ENTRY_OVERHEAD_BYTES
  for (const event of events) bytes += event.length
  return bytes
}

/** Entries that are linked from the first on. */
export type Batch<Owner, Waiter> = {
  readonly first: Pending<Owner, Waiter>
  readonly entries: readonly JournalEntry[]
}

/** Entries of one shard that wait for the batch before them: together they make the next one. */
export class GroupCommit<Owner, Waiter> {
  readonly #limits: BatchLimits
  #first: Pending<Owner, Waiter> | null = null
  #last: Pending<Owner, Waiter> | null = null
  #size = 0
  #bytes = 0
  #ordinal = 0

  constructor(limits: BatchLimits) {
    this.#limits = limits
  }

  get size(): number {
    return this.#size
  }

  add(owner: Owner, entry: JournalEntry, waiter: Waiter | null): Pending<Owner, Waiter> {
    const ordinal = ++this.#ordinal
    return this.#push(new Pending(owner, entry, waiter, ordinal, ordinal))
  }

  addWhole(
    entries: readonly { owner: Owner; entry: JournalEntry }[],
    waiter: Waiter,
  ): Pending<Owner, Waiter>[] {
    const whole = this.#ordinal + 1
    return entries.map(({ owner, entry }, index) =>
      this.#push(
        new Pending(owner, entry, index === entries.length - 1 ? waiter : null, ++this.#ordinal, whole),
      ),
    )
  }

  /** The oldest entries that fit into one batch; a single one, or a whole, goes even when it is larger. */
  take(): Batch<Owner, Waiter> | null {
    const { batchEntriesMax, batchBytesMax } = this.#limits
    if (this.#size <= batchEntriesMax && this.#bytes <= batchBytesMax) return this.#takeFirst(this.#size)
    let bytes = 0
    let count = 0
    let fitting = 0
    for (let pending = this.#first; pending !== null; pending = pending.next) {
      bytes += pending.bytes
      if (fitting > 0 && (count >= batchEntriesMax || bytes > batchBytesMax)) break
      count++
      if (pending.next?.whole !== pending.whole) fitting = count
    }
    return this.#takeFirst(fitting)
  }

  clear(): Batch<Owner, Waiter> | null {
    return this.#takeFirst(this.#size)
  }

  #takeFirst(count: number): Batch<Owner, Waiter> | null {
    const first = this.#first
    if (first === null) return null
    // oxlint-disable-next-line unicorn/no-new-array -- a list that grows takes several times its room at once
    const entries = new Array<JournalEntry>(count)
    let last = first
    for (
      let pending: Pending<Owner, Waiter> | null = first, index = 0;
      pending !== null && index < count;
      index++
    ) {
      entries[index] = pending.entry
      this.#bytes -= pending.bytes
      last = pending
      pending = pending.next
    }
    this.#size -= count
    this.#first = last.next
    if (this.#first === null) this.#last = null
    last.next = null
    return { first, entries }
  }

  #push(pending: Pending<Owner, Waiter>): Pending<Owner, Waiter> {
    if (this.#last === null) this.#first = pending
    else this.#last.next = pending
    this.#last = pending
    this.#size++
    this.#bytes += pending.bytes
    return pending
  }
}
