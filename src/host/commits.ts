import { type Batch, type BatchLimits, GroupCommit } from './group-commit.ts'
import type { JournalEntry } from '../ports/journal.ts'
import type { PendingEntry, Resident } from './resident.ts'
import type { ShardContext } from './shard-context.ts'
import type { TurnEnd, TurnEndListener } from './end-of-tick.ts'
import type { Work } from './pending-command.ts'

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
  #inFlight: Batch<Resident, Work> | null = null
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
    return this.#inFlight === null && this.#queue.size === 0
  }

  add(resident: Resident, entry: JournalEntry, work: Work): void {
    resident.newest = this.#queue.add(resident, entry, work)
    this.#schedule(1)
  }

  addWhole(entries: readonly { owner: Resident; entry: JournalEntry }[], work: Work): void {
    for (const pending of this.#queue.addWhole(entries, work)) pending.owner.newest = pending
    this.#schedule(1)
  }

  /** The reply of `work` is built on what these residents have decided so far, and may be built on nothing uncommitted. */
  answerAfter(residents: readonly Resident[], work: Work): void {
    let newest: PendingEntry | null = null
    for (const { newest: candidate } of residents) {
      if (candidate !== null && (newest === null || candidate.ordinal > newest.ordinal)) newest = candidate
    }
    const [first] = residents
    if (newest !== null) newest.addWaiter(work)
    else if (first !== undefined) this.#listener.answer(first, work)
  }

  /** Everybody who waits for a commit that will not be known here. */
  failAll(error: Error): void {
    const batches = [this.#inFlight, this.#queue.clear()]
    this.#inFlight = null
    for (const batch of batches) {
      for (let pending = batch?.first ?? null; pending !== null; pending = pending.next)
        pending.forEachWaiter((work) => work.fail(error))
    }
  }

  /** So that everything that is decided in the turns until then shares the batch. */
  #schedule(turns: number): void {
    if (this.#turnsLeft > 0 || this.#inFlight !== null) return
    this.#turnsLeft = turns
    this.#turnEnd.tell(this)
  }

  turnEnded(): void {
    this.#turnsLeft--
    if (this.#turnsLeft > 0) this.#turnEnd.tell(this)
    else this.#append()
  }

  #append(): void {
    if (this.#context.ended.aborted || this.#inFlight !== null) return
    this.#inFlight = this.#queue.take()
    if (this.#inFlight === null) return
    void this.#context.journal.append(this.#inFlight.entries).then(this.#committed, this.#lost)
  }

  readonly #lost = (error: Error): void => this.#listener.lost(error)

  /** The batch in flight; none is when everybody was told that its commit will not be known here. */
  readonly #committed = (): void => {
    const first = this.#inFlight?.first ?? null
    this.#inFlight = null
    if (first === null) return
    for (let pending: PendingEntry | null = first; pending !== null; pending = pending.next) {
      const owner: Resident = pending.owner
      owner.cell?.commit()
      if (owner.newest === pending) owner.newest = null
      owner.settling = true
      this.#listener.committed(pending)
    }
    for (let pending: PendingEntry | null = first; pending !== null; pending = pending.next)
      pending.forEachWaiter(this.#answer)
    for (let pending: PendingEntry | null = first; pending !== null; pending = pending.next) {
      const owner: Resident = pending.owner
      if (!owner.settling) continue
      owner.settling = false
      this.#listener.settled(owner)
    }
    // Whoever has an answer now may ask again at once: one turn to ask, one to decide, then the next batch has it too.
    if (this.#queue.size > 0) this.#schedule(2)
  }

  readonly #answer = (work: Work, owner: Resident): void => this.#listener.answer(owner, work)
}
