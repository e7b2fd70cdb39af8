import type { BatchLimits } from './group-commit.ts'
import { GroupCommit } from './group-commit.ts'
import type { JournalEntry } from './journal-port.ts'
import type { PendingEntry, Resident } from './resident.ts'
import type { ShardContext } from './shard-context.ts'
import type { TurnEnd, TurnEndListener } from './turn-end.ts'
import type { Work } from './work.ts'

export type CommitListener = {
  /** Known to be durable. */
  committed(pending: PendingEntry): void
  /** Once for each resident that had entries in a batch, after all of them. */
  settled(resident: Resident): void
  answer(resident: Resident, work: Work): void
  lost(error: Error): void
}

/** Takes entries in the order of decision to the journal, one batch at a time, and lets answers go after their commit. */
export class Commits implements TurnEndListener {
  readonly #context: ShardContext
  readonly #listener: CommitListener
  readonly #queue: GroupCommit<Resident, Work>
  #inFlight: readonly PendingEntry[] = []
  readonly #turnEnd: TurnEnd
  /** Ends of turns until the next batch goes; 0: none is planned. */
  #turnsLeft = 0

  constructor(context: ShardContext, limits: BatchLimits, turnEnd: TurnEnd, listener: CommitListener) {
    this.#context = context
    this.#turnEnd = turnEnd
    this.#listener = listener
    this.#queue = new GroupCommit(limits)
  }

  get idle(): boolean {
    return this.#inFlight.length === 0 && this.#queue.size === 0
  }

  add(resident: Resident, entry: JournalEntry, work: Work): void {
    resident.newest = this.#queue.add(resident, entry, [work])
    this.#schedule(1)
  }

  addWhole(entries: readonly { owner: Resident; entry: JournalEntry }[], work: Work): void {
    for (const pending of this.#queue.addWhole(entries, [work])) pending.owner.newest = pending
    this.#schedule(1)
  }

  /** The reply of `work` is built on what these residents have decided so far, and may be built on nothing uncommitted. */
  answerAfter(residents: readonly Resident[], work: Work): void {
    let newest: PendingEntry | null = null
    for (const { newest: candidate } of residents) {
      if (candidate !== null && (newest === null || candidate.ordinal > newest.ordinal)) newest = candidate
    }
    const [first] = residents
    if (newest !== null) newest.waiters.push(work)
    else if (first !== undefined) this.#listener.answer(first, work)
  }

  /** Everybody who waits for a commit that will not be known here. */
  failAll(error: Error): void {
    const all = [...this.#inFlight, ...this.#queue.clear()]
    this.#inFlight = []
    for (const { waiters } of all) for (const work of waiters) work.fail(error)
  }

  /** So that everything that is decided in the turns until then shares the batch. */
  #schedule(turns: number): void {
    if (this.#turnsLeft > 0 || this.#inFlight.length > 0) return
    this.#turnsLeft = turns
    this.#turnEnd.tell(this)
  }

  turnEnded(): void {
    this.#turnsLeft--
    if (this.#turnsLeft > 0) this.#turnEnd.tell(this)
    else this.#append()
  }

  #append(): void {
    if (this.#context.ended.aborted || this.#inFlight.length > 0 || this.#queue.size === 0) return
    const batch = this.#queue.take()
    this.#inFlight = batch
    this.#context.journal.append(batch.map(({ entry }) => entry)).then(
      () => this.#committed(batch),
      (error: Error) => this.#listener.lost(error),
    )
  }

  #committed(batch: readonly PendingEntry[]): void {
    if (this.#inFlight !== batch) return
    this.#inFlight = []
    for (const pending of batch) {
      const { owner } = pending
      owner.cell?.commit()
      if (owner.newest === pending) owner.newest = null
      owner.settling = true
      this.#listener.committed(pending)
    }
    for (const { owner, waiters } of batch) for (const work of waiters) this.#listener.answer(owner, work)
    for (const { owner } of batch) {
      if (!owner.settling) continue
      owner.settling = false
      this.#listener.settled(owner)
    }
    // Whoever has an answer now may ask again at once: one turn to ask, one to decide, then the next batch has it too.
    if (this.#queue.size > 0) this.#schedule(2)
  }
}
