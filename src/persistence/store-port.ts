import type {
  JournalEntry,
  LastSnapshot,
  StoredActor,
  StoredEvent,
  StoredSnapshot,
  TailPosition,
  TimerRow,
} from '../ports/journal.ts'

/** One slot of a shard's log. Only an `open` record grants ownership; a batch carries the epoch of its writer. */
export type LogSlot = {
  readonly shard: number
  readonly no: number
  readonly epoch: number
  /** `owner/unique`: every slot names the owner of its epoch, also when the segment with the open record is gone. */
  readonly batchId: string
  readonly record: OpenRecord | BatchRecord
}

/** `node` is the owner of the epoch; '' when the shard was handed back and has none. */
export type OpenRecord = { readonly kind: 'open'; readonly node: string }
export type BatchRecord = {
  readonly kind: 'batch'
  readonly entries: readonly JournalEntry[]
  /**
   * The places that the entries had when they were written, where others of the slot are gone with their records:
   * readers go on from a place.
   */
  readonly places?: readonly number[]
}

/** The entries of a slot; an open record has none. */
export const entriesOf = ({ record }: LogSlot): readonly JournalEntry[] =>
  record.kind === 'open' ? [] : record.entries

export type AppendOutcome =
  | { readonly is: 'written' }
  /** The slot has an occupant; it may be this very batch, written by an attempt whose answer was lost. */
  | { readonly is: 'occupied'; readonly epoch: number; readonly batchId: string }
  | { readonly is: 'retired' }

/**
 * A store that did not answer as asked. `unknown`: the operation may have been applied, now or later. `not-applied`: it
 * certainly was not and will not be (refused, disk full, not connected).
 */
export class StoreFailure extends Error {
  override readonly name = 'StoreFailure'
  readonly retryable = true
  readonly outcome: 'unknown' | 'not-applied'
  constructor(outcome: 'unknown' | 'not-applied', message: string, options?: ErrorOptions) {
    super(message, options)
    this.outcome = outcome
  }
}

export type Checkpoint = {
  /** Every slot up to this one is copied to the actors' own events and timers. */
  readonly copiedNo: number
  readonly publishedNo: number
  readonly projectedNo: number
  /** Every timer due up to this time has fired or was cleared. */
  readonly timerAckMs: number
}

/**
 * An actor whose events go, all or those up to a snapshot. `atNo` is the last slot that was committed when that was decided:
 * later ones may have added more. Where there is no `data` at all, the snapshot is durable already.
 */
export type Forgettable = Pick<LastSnapshot, 'seq'> &
  Partial<Pick<LastSnapshot, 'data'>> & { readonly actor: string; readonly atNo: number }

/**
 * An engine: SQLite, Cassandra, or the model store of the simulation. It has primitive operations only; the protocol on
 * top of them (shard-log.ts) is the same for all. Every method may fail with StoreFailure.
 */
export interface JournalStore extends AsyncDisposable {
  /**
   * `atomic`: append also writes the actors' events and timers in the same transaction, so that `copy` has nothing to
   * do.
   */
  readonly copies: 'atomic' | 'deferred'
  /** How many slots are a segment of the log, which is deleted whole. Part of what is stored, so never to be changed. */
  readonly segmentSlots: number
  /** Conditional insert: applied only when the slot is free and its segment is not retired. */
  append(slot: LogSlot): Promise<AppendOutcome>
  /**
   * Slots from `fromNo` on, in order, without a gap, at most `limit`. A serial read, which sees every committed slot.
   */
  readLog(shard: number, fromNo: number, limit: number): Promise<readonly LogSlot[]>
  /**
   * Writes events, timers and the enumeration of the actors of these slots. Idempotent: a copy may arrive late and
   * twice, and that of an older slot never undoes what a newer slot, or a later `timersDone`, did to the same row
   * (ordered by slot number, not by clocks, which differ between owners).
   */
  copy(shard: number, slots: readonly LogSlot[]): Promise<void>
  /** The copied snapshot and the copied events after it. */
  readActor(actor: string): Promise<StoredActor>
  readEvents(actor: string, afterSeq: number): Promise<readonly StoredEvent[]>
  readSnapshot(actor: string): Promise<StoredSnapshot | null>
  /** A late write of an older snapshot never replaces a newer one. `atNo` is the last committed slot. */
  writeSnapshot(actor: string, snapshot: StoredSnapshot, atNo: number): Promise<void>
  /**
   * Writes the last snapshots that are not durable yet, and deletes the events that slots up to `atNo` of each added to its
   * actor, which are all up to its snapshot; where `data` is null, the actor goes whole. A copy that comes later brings nothing back, nor
   * does an older snapshot.
   */
  forget(shard: number, actors: readonly Forgettable[]): Promise<void>
  readCheckpoint(shard: number): Promise<Checkpoint | null>
  /** Fields never move back: a late write of an earlier owner is ignored, because its epoch is lower. */
  writeCheckpoint(shard: number, epoch: number, checkpoint: Checkpoint): Promise<void>
  /** Marks the segment, then deletes its slots. Idempotent. */
  retireSegment(shard: number, segment: number): Promise<void>
  /** The lowest segment that is not retired. */
  firstSegment(shard: number): Promise<number>
  /** Rows with `fromMs` <= due < `untilMs` after the row `after`, in the order of `compareTimerRows`. */
  timersDue(
    shard: number,
    fromMs: number,
    untilMs: number,
    after: TimerRow | null,
    limit: number,
  ): Promise<readonly TimerRow[]>
  /**
   * `atNo` is the last committed slot when this was decided. A row that a later slot sets again stays, however late
   * this call arrives.
   */
  timersDone(shard: number, rows: readonly TimerRow[], atNo: number): Promise<void>
  timerMoved(shard: number, from: TimerRow, to: TimerRow, atNo: number): Promise<void>
  listActors(shard: number, after: string | null, limit: number): Promise<readonly string[]>
  savePosition(reader: string, shard: number, position: TailPosition): Promise<void>
  readPosition(reader: string, shard: number): Promise<TailPosition | null>
  /** What takes up space; reads everything, so it takes long on a large journal. */
  sizes(): Promise<readonly StoredSize[]>
  probe(): Promise<void>
}

/** One use of space. `kind` is the prefix of the actors' ids, null where it is not known or there is none. */
export type StoredSize = {
  readonly what: string
  readonly kind: string | null
  readonly rows: number
  readonly bytes: number
}

/** The reads that inspecting a journal needs. */
export type JournalReads = AsyncDisposable &
  Pick<
    JournalStore,
    | 'readLog'
    | 'readEvents'
    | 'readSnapshot'
    | 'readCheckpoint'
    | 'firstSegment'
    | 'segmentSlots'
    | 'timersDue'
    | 'listActors'
    | 'readPosition'
    | 'sizes'
  >
