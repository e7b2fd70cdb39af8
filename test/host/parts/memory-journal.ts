import {
  compareTimerRows,
  type Journal,
  type JournalEntry,
  type LastSnapshot,
  type ShardJournal,
  ShardLost,
  type ShardLossReason,
  type StoredActor,
  type StoredEvent,
  type StoredSnapshot,
  type TailPosition,
  type TailRecord,
  type TimerRow,
} from '../../../src/ports/journal.ts'

const keyOf = (row: TimerRow): string => `${row.actor} ${row.timerId} ${row.dueMs}`

/** A journal that outlives the hosts on top of it, and can be made slow, sick or somebody else's. */
export class MemoryJournal implements Journal {
  readonly events = new Map<string, StoredEvent[]>()
  readonly snapshots = new Map<string, StoredSnapshot>()
  readonly timers = new Map<string, TimerRow>()
  readonly batches: (readonly JournalEntry[])[] = []
  readonly opened = new Map<number, MemoryShardJournal>()
  /** Actors that were to be forgotten. */
  readonly forgets: string[] = []
  /** Whether the readers of the log have passed everything. */
  isPassed = true
  loads = 0
  /** Begun, not necessarily committed. */
  appends = 0
  failLoads = false
  /** While there is one, loads wait for it. */
  load: (() => Promise<void>) | null = null
  stalled = false
  confirmed = true
  /** While there is a gate, appends wait for it. */
  #gate: PromiseWithResolvers<void> | null = null

  hold(): void {
    this.#gate ??= Promise.withResolvers()
  }

  release(): void {
    this.#gate?.resolve()
    this.#gate = null
  }

  get gate(): Promise<void> | null {
    return this.#gate?.promise ?? null
  }

  eventsOf(actor: string): readonly unknown[] {
    return (this.events.get(actor) ?? []).map(({ data }): unknown => JSON.parse(data))
  }

  async open(shard: number): Promise<ShardJournal> {
    this.opened.get(shard)?.lose('fenced')
    const journal = new MemoryShardJournal(this, shard)
    this.opened.set(shard, journal)
    return journal
  }

  write(entries: readonly JournalEntry[]): void {
    for (const { actor, seq, commandId, events, timersSet, timersCleared } of entries) {
      const stored = this.events.get(actor) ?? []
      const last = Math.max(stored.at(-1)?.seq ?? 0, this.snapshots.get(actor)?.seq ?? 0)
      if (seq !== last + 1) throw new Error(`${actor}: event ${seq} after ${last}`)
      stored.push(...events.map((data, index) => ({ seq: seq + index, commandId, data })))
      this.events.set(actor, stored)
      for (const row of timersCleared) this.timers.delete(keyOf(row))
      for (const row of timersSet) this.timers.set(keyOf(row), row)
    }
    this.batches.push(entries)
  }

  async readTail(_shard: number, _from: TailPosition | null, _limit: number): Promise<readonly TailRecord[]> {
    return []
  }
  async readEvents(actor: string, afterSeq: number): Promise<readonly StoredEvent[]> {
    return (this.events.get(actor) ?? []).filter(({ seq }) => seq > afterSeq)
  }
  async firstKeptNo(): Promise<number> {
    return 0
  }
  passed(): void {}
  async savePosition(): Promise<void> {}
  async readPosition(): Promise<TailPosition | null> {
    return null
  }
  onCommitted(): () => void {
    return () => undefined
  }
  async probe(): Promise<void> {}
}

export class MemoryShardJournal implements ShardJournal {
  readonly epoch = 1
  readonly lastEpoch = 1
  readonly shard: number
  readonly lost: Promise<ShardLossReason>
  readonly #journal: MemoryJournal
  readonly #loss = Promise.withResolvers<ShardLossReason>()
  #isLost: ShardLossReason | null = null

  constructor(journal: MemoryJournal, shard: number) {
    this.#journal = journal
    this.shard = shard
    this.lost = this.#loss.promise
  }

  get stalled(): boolean {
    return this.#journal.stalled
  }

  get confirmed(): boolean {
    return this.#journal.confirmed && this.#isLost === null
  }

  async catchUp(): Promise<void> {}

  lose(reason: ShardLossReason): void {
    this.#isLost ??= reason
    this.#loss.resolve(this.#isLost)
  }

  async append(entries: readonly JournalEntry[]): Promise<void> {
    this.#journal.appends++
    for (let gate = this.#journal.gate; gate !== null; gate = this.#journal.gate) {
      const reason = await Promise.race([gate, this.lost])
      if (reason !== undefined) break
    }
    if (this.#isLost !== null) throw new ShardLost(this.shard, this.#isLost)
    this.#journal.write(entries)
  }

  async load(actor: string): Promise<StoredActor> {
    this.#journal.loads++
    await this.#journal.load?.()
    if (this.#journal.failLoads) throw Object.assign(new Error('away'), { retryable: true })
    const snapshot = this.#journal.snapshots.get(actor) ?? null
    const events = (this.#journal.events.get(actor) ?? []).filter(({ seq }) => seq > (snapshot?.seq ?? 0))
    return { snapshot, events }
  }

  async saveSnapshot(actor: string, snapshot: StoredSnapshot): Promise<void> {
    this.#journal.snapshots.set(actor, snapshot)
  }

  async fold(actor: string, snapshot: StoredSnapshot): Promise<boolean> {
    await this.saveSnapshot(actor, snapshot)
    return this.forget(actor, snapshot)
  }

  async forget(actor: string, { seq, data }: LastSnapshot): Promise<boolean> {
    this.#journal.forgets.push(actor)
    if (!this.#journal.isPassed) return false
    if (data === null) this.#journal.snapshots.delete(actor)
    else this.#journal.snapshots.set(actor, { seq, data })
    const events = this.#journal.events.get(actor) ?? []
    if (data === null) this.#journal.events.delete(actor)
    else
      this.#journal.events.set(
        actor,
        events.filter((event) => event.seq > seq),
      )
    return true
  }

  async timersDue(untilMs: number, after: TimerRow | null, limit: number): Promise<readonly TimerRow[]> {
    const prefix = this.shard.toString(16).padStart(2, '0')
    return [...this.#journal.timers.values()]
      .filter(({ actor }) => actor.slice(actor.indexOf('_') + 1).startsWith(prefix))
      .filter((row) => row.dueMs < untilMs && (after === null || compareTimerRows(row, after) > 0))
      .sort(compareTimerRows)
      .slice(0, limit)
  }

  async timersDone(rows: readonly TimerRow[]): Promise<void> {
    for (const row of rows) this.#journal.timers.delete(keyOf(row))
  }

  async timerMoved(from: TimerRow, to: TimerRow): Promise<void> {
    this.#journal.timers.delete(keyOf(from))
    this.#journal.timers.set(keyOf(to), to)
  }

  async close(): Promise<void> {
    this.lose('closed')
  }
}
