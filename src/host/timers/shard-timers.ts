import TinyQueue from 'tinyqueue'
import { compareTimerRows, type TimerRow } from '../../ports/journal.ts'
import type { ShardContext } from '../shard-context.ts'
import type { Timer } from '../../domain/decider.ts'
import type { Rest } from '../../domain/rest.ts'

export type TimerLimits = {
  /** What is due within this time is in memory, everything later in the journal alone. */
  readonly timerWindowMs: number
  readonly timersFiringMax: number
  readonly timersLoadedMax: number
}

/**
 * What became of a row: the state asks for it no longer; it belongs to something owed that is being performed; or the
 * state asks for it as before, which only a mistake in a decider can bring about.
 */
export type Fired = 'done' | 'kept' | 'unsettled'

export type FireTimer = (row: TimerRow) => Promise<Fired>

/** A row that is tried again later remembers, in memory only, when, how often it has failed, and what it waited for. */
type LoadedRow = TimerRow & { readonly retry?: Retry }

type Retry = { readonly atMs: number; readonly failures: number; readonly rest?: Rest | null }

export const failuresOf = (row: LoadedRow): number => row.retry?.failures ?? 0

/** What was found of the rest of its organisation while it waited; undefined where it did not wait. */
export const foundRestOf = (row: LoadedRow): Rest | null | undefined => row.retry?.rest

const fireAtMs = (row: LoadedRow): number => row.retry?.atMs ?? row.dueMs
const compareFireAt = (left: LoadedRow, right: LoadedRow): number => fireAtMs(left) - fireAtMs(right)

const PAGE_ROWS = 1_000
const DONE_ROWS_MAX = 500
/** Rows that are done wait so long for others, also where the clock was set back: after a crash they would fire once more, and be stale. */
const DONE_TOGETHER_MS = 500

/**
 * Timers of one shard. Everything up to a cursor is in memory, everything after it is in the journal and is paged in
 * before it is due. Firing is at-least-once; the decision of the actor makes it once.
 */
export class ShardTimers {
  readonly #context: ShardContext
  readonly #limits: TimerLimits
  readonly #fire: FireTimer
  readonly #loaded = new TinyQueue<LoadedRow>([], compareFireAt)
  /** Wake-ups of records whose events may go: nobody waits for them, and those of a shard are due at one moment. */
  readonly #toForget = new TinyQueue<LoadedRow>([], compareFireAt)
  /** The journal's rows come each with its own copy of the same few names. */
  readonly #names = new Map<string, string>()
  #cursor: TimerRow | null = null
  /** Committed while a page is being read, which may have missed them. */
  #arrived: TimerRow[] | null = null
  #done: TimerRow[] = []
  #acknowledgeAtMs = Number.POSITIVE_INFINITY
  #firing = 0
  #loadFailures = 0
  #loadAgainMs = 0
  /** There is nothing to load or to fire before: most shards have nothing to do at most ticks. */
  #idleUntilMs = Number.NEGATIVE_INFINITY
  #acknowledging = false

  constructor(context: ShardContext, limits: TimerLimits, fire: FireTimer) {
    this.#context = context
    this.#limits = limits
    this.#fire = fire
  }

  get loaded(): number {
    return this.#loaded.length + this.#toForget.length
  }

  /** Rows of a committed entry. What is owed has been started already and needs no waking. */
  add(rows: readonly TimerRow[]): void {
    for (const row of rows) {
      if (row.timerId === OWED_TIMER) continue
      if (this.#isLoaded(row)) this.#push(row)
      else this.#arrived?.push(row)
    }
  }

  /** Wakes the actor then, also when it has left memory by that time. */
  wakeAt(row: TimerRow, atMs: number, failures: number): void {
    this.#again(row, { atMs, failures })
  }

  /** It fires at once, and does not ask again what it has waited for: the answer may have to be waited for each time. */
  wakeWith(row: TimerRow, rest: Rest | null, nowMs: number): void {
    this.#again(row, { atMs: nowMs, failures: failuresOf(row), rest })
  }

  #again({ actor, timerId, dueMs }: TimerRow, retry: Retry): void {
    this.#keep({ actor, timerId, dueMs, retry })
  }

  #keep(row: LoadedRow): void {
    const atMs = fireAtMs(row)
    const isSooner = atMs < this.nextMs
    if (row.timerId === FORGET_TIMER) this.#toForget.push(row)
    else {
      this.#loaded.push(row)
      if (atMs < this.#idleUntilMs) this.#idleUntilMs = atMs
    }
    if (isSooner) this.#context.wanted(atMs - this.#context.runtime.now())
  }

  rowDone(row: TimerRow): void {
    this.#done.push(row)
    const latestMs = this.#context.runtime.now() + DONE_TOGETHER_MS
    if (this.#acknowledgeAtMs > latestMs) this.#acknowledgeIn(DONE_TOGETHER_MS)
    if (this.#done.length === DONE_ROWS_MAX) this.#acknowledgeIn(0)
  }

  /** When something is to be done next; in the past where it can't be done yet. */
  get nextMs(): number {
    if (this.#context.ended.aborted) return Number.POSITIVE_INFINITY
    const toForget = this.#toForget.peek()
    const forgetMs = toForget === undefined ? Number.POSITIVE_INFINITY : fireAtMs(toForget)
    const acknowledgeMs = this.#acknowledging ? Number.POSITIVE_INFINITY : this.#acknowledgeAtMs
    return Math.min(this.#idleUntilMs, forgetMs, acknowledgeMs)
  }

  tick(nowMs: number): void {
    if (this.#context.ended.aborted) return
    if (nowMs >= this.#acknowledgeAtMs) this.#acknowledge(nowMs)
    if (nowMs < this.#idleUntilMs) return
    if (this.#context.journal.stalled || !this.#context.journal.confirmed) return
    this.#loadMore(nowMs)
    this.#fireDue(nowMs)
    this.#idleUntilMs = this.#nextMs()
  }

  hasToForget(nowMs: number): boolean {
    const next = this.#toForget.peek()
    return next !== undefined && fireAtMs(next) <= nowMs
  }

  /** Wakes so many records at most whose events may go; answers with how many there were. */
  forget(nowMs: number, max: number): number {
    const { ended, journal } = this.#context
    if (ended.aborted || journal.stalled || !journal.confirmed) return 0
    let woken = 0
    for (; woken < max && this.hasToForget(nowMs); woken++) {
      const next = this.#toForget.pop()
      if (next !== undefined) void this.#fireOne(next)
    }
    return woken
  }

  #nextMs(): number {
    const [cursor, next] = [this.#cursor, this.#loaded.peek()]
    if (cursor === null) return Number.NEGATIVE_INFINITY
    const loadMs = cursor.dueMs - this.#limits.timerWindowMs / 2
    return next === undefined ? loadMs : Math.min(loadMs, fireAtMs(next))
  }

  #fireDue(nowMs: number): void {
    while (this.#firing < this.#limits.timersFiringMax) {
      const next = this.#loaded.peek()
      if (next === undefined || fireAtMs(next) > nowMs) return
      this.#loaded.pop()
      void this.#fireOne(next)
    }
  }

  async #fireOne(row: LoadedRow): Promise<void> {
    const { runtime, ended } = this.#context
    this.#firing++
    try {
      const fired = await this.#fire(row)
      if (fired === 'unsettled') throw new Error('the state asks for a timer that has fired')
      if (fired === 'done') this.rowDone(row)
    } catch (error) {
      if (ended.aborted) return
      this.#context.report('timer', row.actor, error)
      const failures = failuresOf(row) + 1
      this.wakeAt(row, this.#context.retryAtMs(failures), failures)
    } finally {
      this.#firing--
      if (!ended.aborted) this.#fireDue(runtime.now())
    }
  }

  #loadMore(nowMs: number): void {
    const { timerWindowMs, timersLoadedMax } = this.#limits
    const endMs = nowMs + timerWindowMs
    const loadedUntilMs = this.#cursor?.dueMs ?? Number.NEGATIVE_INFINITY
    const isFar = loadedUntilMs >= nowMs + timerWindowMs / 2
    const isBusy = this.#arrived !== null || nowMs < this.#loadAgainMs
    if (isFar || isBusy || this.loaded >= timersLoadedMax) return
    void this.#load(endMs)
  }

  /** Page after page until the end of the window, or until as many are in memory as may be. */
  async #load(endMs: number): Promise<void> {
    const { journal, ended } = this.#context
    try {
      for (;;) {
        this.#arrived = []
        const page = await journal.timersDue(endMs, this.#cursor, PAGE_ROWS)
        if (ended.aborted) return
        const isLast = page.length < PAGE_ROWS
        this.#advance(page, isLast ? { dueMs: endMs, actor: '', timerId: '' } : null)
        if (isLast || this.loaded >= this.#limits.timersLoadedMax) break
      }
      this.#loadFailures = 0
    } catch (error) {
      this.#loadFailures++
      this.#loadAgainMs = this.#context.retryAtMs(this.#loadFailures)
      if (!ended.aborted) this.#context.report('timer', null, error)
    } finally {
      this.#arrived = null
    }
  }

  #advance(page: readonly TimerRow[], end: TimerRow | null): void {
    for (const row of page) this.#push(row)
    const last = end ?? page.at(-1)
    if (last !== undefined) this.#cursor = last
    for (const row of this.#arrived ?? []) if (this.#isLoaded(row)) this.#push(row)
  }

  #isLoaded(row: TimerRow): boolean {
    return this.#cursor !== null && compareTimerRows(row, this.#cursor) <= 0
  }

  #push({ actor, timerId, dueMs }: TimerRow): void {
    this.#keep({ actor, timerId: this.#name(timerId), dueMs })
  }

  #name(timerId: string): string {
    const known = this.#names.get(timerId)
    if (known !== undefined) return known
    if (this.#names.size < 1_000) this.#names.set(timerId, timerId)
    return timerId
  }

  #acknowledge(nowMs: number): void {
    if (this.#acknowledging) return
    const rows = this.#done.slice(0, DONE_ROWS_MAX)
    this.#done = this.#done.slice(DONE_ROWS_MAX)
    this.#acknowledgeAtMs = this.#done.length > 0 ? nowMs : Number.POSITIVE_INFINITY
    this.#acknowledging = true
    this.#context.journal
      .timersDone(rows)
      // They would fire once more after a takeover and be stale; still, rows should not pile up.
      .catch(() => {
        this.#done.push(...rows)
        this.#acknowledgeAtMs = nowMs
      })
      .finally(() => {
        this.#acknowledging = false
        if (this.#done.length > 0)
          this.#acknowledgeIn(Math.max(0, this.#acknowledgeAtMs - this.#context.runtime.now()))
      })
  }

  #acknowledgeIn(ms: number): void {
    this.#acknowledgeAtMs = this.#context.runtime.now() + ms
    this.#context.wanted(ms)
  }
}

/** The wake-up of an actor that owes something: the process that takes its shard over finds it due and starts what is owed. */
export const OWED_TIMER = '$owed'

/** The wake-up of an actor whose events may go, or all of it. */
export const FORGET_TIMER = '$forget'

export type TimerChanges = { readonly set: readonly TimerRow[]; readonly cleared: readonly TimerRow[] }

const NO_ROWS: readonly TimerRow[] = []
const NO_CHANGES: TimerChanges = { set: NO_ROWS, cleared: NO_ROWS }

/** Rows to write and rows that became stale when a state's timers changed. */
export const timerChanges = (
  actor: string,
  before: readonly Timer[],
  after: readonly Timer[],
): TimerChanges => {
  if (before.length === 0 && after.length === 0) return NO_CHANGES
  return { set: missingIn(before, after, actor), cleared: missingIn(after, before, actor) }
}

const missingIn = (
  others: readonly Timer[],
  timers: readonly Timer[],
  actor: string,
): readonly TimerRow[] => {
  const missing = timers.filter((timer) => !asks(others, timer.id, timer.dueMs))
  return missing.length === 0 ? NO_ROWS : missing.map(({ id, dueMs }) => ({ actor, timerId: id, dueMs }))
}

export const asks = (timers: readonly Timer[], timerId: string, dueMs: number): boolean =>
  timers.some((timer) => timer.id === timerId && timer.dueMs === dueMs)

export const sameRow = (one: TimerRow, other: TimerRow): boolean =>
  one.dueMs === other.dueMs && one.actor === other.actor && one.timerId === other.timerId
