/** One decided command: the events it added to one actor and the timers that belong to the decision. */
export type JournalEntry = {
  readonly actor: string
  /** Sequence of the first event; an actor's events are 1, 2, 3 … without a gap. */
  readonly seq: number
  readonly commandId: string | null
  /** Encoded by the actor's codec: JSON text, personal fields sealed. */
  readonly events: readonly string[]
  readonly timersSet: readonly TimerRow[]
  /**
   * Rows that the decision made stale. Engines with cheap deletes remove them; others let them fire, and the actor
   * ignores them.
   */
  readonly timersCleared: readonly TimerRow[]
}

export type TimerRow = { readonly actor: string; readonly timerId: string; readonly dueMs: number }

/** The order of timer rows in every engine and every page. */
export const compareTimerRows = (left: TimerRow, right: TimerRow): number =>
  left.dueMs - right.dueMs || compareText(left.actor, right.actor) || compareText(left.timerId, right.timerId)

const compareText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

export type StoredEvent = { readonly seq: number; readonly commandId: string | null; readonly data: string }

export type StoredSnapshot = { readonly seq: number; readonly data: string }

/** What stays of a record whose events go; nothing where `data` is null. */
export type LastSnapshot = { readonly seq: number; readonly data: string | null }

export type StoredActor = {
  readonly snapshot: StoredSnapshot | null
  readonly events: readonly StoredEvent[]
}

/** The position of a reader in a shard's committed log; it survives restarts. */
export type TailPosition = { readonly no: number; readonly index: number }

export type TailRecord = TailPosition & { readonly entry: JournalEntry; readonly epoch: number }

/** `failed`: a failure that no repetition mends, such as a batch that the engine can never take. */
export type ShardLossReason = 'fenced' | 'lease-lost' | 'closed' | 'failed'

/** This process does not own the shard (any more); commands in flight are answered as retryable. */
export class ShardLost extends Error {
  override readonly name = 'ShardLost'
  readonly retryable = true
  readonly reason: ShardLossReason
  constructor(shard: number, reason: ShardLossReason, options?: ErrorOptions) {
    super(`shard ${shard} is not owned here: ${reason}`, options)
    this.reason = reason
  }
}

/** Another live process owns the shard: try again when its lease has ended or it has handed the shard back. */
export class ShardHeld extends Error {
  override readonly name = 'ShardHeld'
  readonly retryable = true
  readonly owner: string
  constructor(shard: number, owner: string) {
    super(`shard ${shard} is held by ${owner}`)
    this.owner = owner
  }
}

/** The one writer of one shard, from `open` until it is lost or closed. */
export interface ShardJournal {
  readonly shard: number
  readonly epoch: number
  /**
   * Appends one batch; the caller waits for it before the next. Resolves only when the batch is known to be committed.
   * While the store is away the same slot is tried again; it rejects only with ShardLost.
   */
  append(entries: readonly JournalEntry[]): Promise<void>
  /** True while the store does not answer or the copies lag too far behind: admission refuses new work. */
  readonly stalled: boolean
  /**
   * False while the lease cannot be confirmed. No decision and no read of this shard may be answered then: check it
   * right before the reply, and answer retryable when it is false.
   */
  readonly confirmed: boolean
  /**
   * Everything committed for the actor, also events that are not copied yet. Rejects with a retryable error when the
   * store is away.
   */
  load(actor: string): Promise<StoredActor>
  saveSnapshot(actor: string, snapshot: StoredSnapshot): Promise<void>
  /**
   * Saves a snapshot, and when it is durable lets the events go that are in it; the record lives on. All that is committed
   * for the actor must be in it when this is called. False when a reader of the log has not passed these events within some
   * seconds: they go with a later fold.
   */
  fold(actor: string, snapshot: StoredSnapshot): Promise<boolean>
  /**
   * Writes the last snapshot of a record that is over and lets its events up to there go; `data` null: the whole record
   * goes, as if it had never been. Everything that was decided for it must be committed. False when a reader of the log
   * has still to pass its events: ask again later.
   */
  forget(actor: string, last: LastSnapshot): Promise<boolean>
  /**
   * Pending timers due before `untilMs`, also of batches that are not copied yet, ordered by due time, actor, timer id
   * (`compareTimerRows`), a page at a time: `after` is the last row of the page before.
   */
  timersDue(untilMs: number, after: TimerRow | null, limit: number): Promise<readonly TimerRow[]>
  /** Ends a fired or stale row; engines may remove it or move their acknowledgement. */
  timersDone(rows: readonly TimerRow[]): Promise<void>
  /** Replaces a row without an event, when the wake-up of an actor with owed effects moves to another time or stays. */
  timerMoved(from: TimerRow, to: TimerRow): Promise<void>
  /** Brings copies and checkpoint up to date now, so that a close that follows is short. */
  catchUp(): Promise<void>
  /** Settles when the shard is lost. */
  readonly lost: Promise<ShardLossReason>
  /**
   * The last epoch that is this owner's: that of its release record where it has written one. Whoever opens with the next
   * one comes directly after it. To be read when the shard is lost.
   */
  readonly lastEpoch: number
  /** Finishes the batch in flight, and brings copies and checkpoint up to date. */
  close(): Promise<void>
}

export interface Journal {
  /**
   * Takes the shard over: walks the log to its end, writes `open(epoch + 1)`, and replays the slots that are not
   * copied. Rejects with ShardHeld while another live process owns the shard, with ShardLost when this process has no
   * lease. `releasedEpoch`: nobody answers in this epoch any more, because its owner has said so, although its record in
   * the log is the last one; no other epoch may be taken for it.
   */
  open(shard: number, releasedEpoch?: number): Promise<ShardJournal>
  /**
   * Committed entries after `from`, in order, also of shards that another process writes. Empty when there are none
   * yet.
   */
  readTail(shard: number, from: TailPosition | null, limit: number): Promise<readonly TailRecord[]>
  /**
   * Every committed event of an actor after `afterSeq`, whether its slot is still in the log or not. Of a shard that
   * another process writes, the newest may be missing for a moment.
   */
  readEvents(actor: string, afterSeq: number): Promise<readonly StoredEvent[]>
  /** The number of the first slot that is kept: a reader at an earlier position has missed the slots in between. */
  firstKeptNo(shard: number): Promise<number>
  /**
   * A reader says how far it is, so that what it has read can be forgotten before it saves its position. This process alone
   * knows of it: after a crash the reader begins where it has saved, and the log keeps what comes after that.
   */
  passed(reader: string, shard: number, position: TailPosition): void
  savePosition(reader: string, shard: number, position: TailPosition): Promise<void>
  readPosition(reader: string, shard: number): Promise<TailPosition | null>
  /** Called after a batch of a shard opened here is committed; lets tail readers follow without polling. */
  onCommitted(listener: (shard: number, no: number) => void): () => void
  /** One cheap round trip; for the health probe. */
  probe(): Promise<void>
}

/**
 * What the shard log must know about leases: who we are, whether we may still answer, and whose shards are free to
 * take. `cluster/lease.ts` implements it for many processes, `soleOwner` for one.
 */
export type LeaseSession = {
  /** Node and incarnation; new at every start and every rejoin. Every slot this session writes begins with it. */
  readonly owner: string
  /**
   * Measured on our own clocks from the start of the last renewal that is known to have succeeded; a time in which the
   * machine was suspended counts.
   */
  valid(): boolean
  /** Aborted when the session is known to be over: declared dead, replaced, or left. */
  readonly ended: AbortSignal
}

export interface Ownership {
  /** Null while this process has not joined. */
  session(): LeaseSession | null
  /**
   * True when no process can be answering for that owner any more: it was declared dead, left, or was replaced. Final
   * once true.
   */
  isGone(owner: string): Promise<boolean>
}

/** The ownership of an engine that a single process has to itself: every earlier owner is gone. */
export const soleOwner = (owner: string): Ownership => {
  const session: LeaseSession = { owner, valid: () => true, ended: new AbortController().signal }
  return { session: () => session, isGone: (other) => Promise.resolve(other !== owner) }
}
