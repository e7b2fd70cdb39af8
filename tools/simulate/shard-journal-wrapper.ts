import type {
  Journal,
  JournalEntry,
  ShardJournal,
  ShardLossReason,
  StoredActor,
  StoredSnapshot,
  TimerRow,
} from '../../src/ports/journal.ts'

/** Passes everything on; a variant overrides what it gets wrong. */
export class ShardJournalWrapper implements ShardJournal {
  protected readonly inner: ShardJournal

  constructor(inner: ShardJournal) {
    this.inner = inner
  }

  get shard(): number {
    return this.inner.shard
  }

  get epoch(): number {
    return this.inner.epoch
  }

  get stalled(): boolean {
    return this.inner.stalled
  }

  get confirmed(): boolean {
    return this.inner.confirmed
  }

  get lost(): Promise<ShardLossReason> {
    return this.inner.lost
  }

  append(entries: readonly JournalEntry[]): Promise<void> {
    return this.inner.append(entries)
  }

  load(actor: string): Promise<StoredActor> {
    return this.inner.load(actor)
  }

  saveSnapshot(actor: string, snapshot: StoredSnapshot): Promise<void> {
    return this.inner.saveSnapshot(actor, snapshot)
  }

  timersDue(untilMs: number, after: TimerRow | null, limit: number): Promise<readonly TimerRow[]> {
    return this.inner.timersDue(untilMs, after, limit)
  }

  timersDone(rows: readonly TimerRow[]): Promise<void> {
    return this.inner.timersDone(rows)
  }

  timerMoved(from: TimerRow, to: TimerRow): Promise<void> {
    return this.inner.timerMoved(from, to)
  }

  close(): Promise<void> {
    return this.inner.close()
  }
}

export const wrapShards =
  (wrap: (shard: ShardJournal) => ShardJournal) =>
  (journal: Journal): Journal => ({
    open: async (shard) => wrap(await journal.open(shard)),
    readTail: (shard, from, limit) => journal.readTail(shard, from, limit),
    firstKeptNo: (shard) => journal.firstKeptNo(shard),
    savePosition: (reader, shard, position) => journal.savePosition(reader, shard, position),
    readPosition: (reader, shard) => journal.readPosition(reader, shard),
    onCommitted: (listener) => journal.onCommitted(listener),
    probe: () => journal.probe(),
  })
