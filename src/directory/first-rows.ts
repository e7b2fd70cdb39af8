import type { TailPosition, TailRecord } from '../ports/journal.ts'

/** After so long the row of a new record is written, whatever the record is by then. */
const WAIT_MS = 1_000
/** Of one shard; beyond that rows are written at once. */
const WAITING_MAX = 1_024

export type FirstRowsParts = {
  /** Whether the first row of such an actor may wait. */
  readonly mayWait: (actor: string) => boolean
  readonly sleep: (ms: number) => Promise<void>
  /** What waits on the shard is to be written now. */
  readonly due: (shard: number) => void
}

/** What is to be done with a page of the log. */
export type PageOfRows = {
  /** The actors whose rows are written with it. */
  readonly now: ReadonlySet<string>
  /** Those whose rows wait, the oldest first, each with the position before its entry. */
  readonly later: ReadonlyMap<string, TailPosition>
  /** Nothing waits any longer. */
  readonly isLast: boolean
}

/**
 * The first rows of new records that wait a moment, because nearly all records of their kind change once more by then:
 * so one row is written where there would be two. They wait in memory alone. The file is told a position before them, so
 * that whoever goes on from it after a crash reads them again, and whoever waits for the lists has them written at once.
 */
export class FirstRows {
  readonly #parts: FirstRowsParts
  readonly #waiting = new Map<number, Map<string, TailPosition>>()
  readonly #due = new Set<number>()
  /** By shard, the wait that runs. */
  readonly #waits = new Map<number, symbol>()
  /** How many wait for the lists of a shard. */
  readonly #hurried = new Map<number, number>()

  constructor(parts: FirstRowsParts) {
    this.#parts = parts
  }

  /** The shards on which something waits. */
  get shards(): readonly number[] {
    return [...this.#waiting.keys()]
  }

  has(shard: number): boolean {
    return this.#waiting.has(shard)
  }

  /** Nothing of the shard waits while the work is done. */
  async hurried(shard: number, work: () => Promise<void>): Promise<void> {
    this.#hurried.set(shard, (this.#hurried.get(shard) ?? 0) + 1)
    try {
      await work()
    } finally {
      const others = (this.#hurried.get(shard) ?? 1) - 1
      if (others > 0) this.#hurried.set(shard, others)
      else this.#hurried.delete(shard)
    }
  }

  /** `from`: the position after which the page begins. */
  of(shard: number, from: TailPosition, records: readonly TailRecord[]): PageOfRows {
    const isLast = this.#hurried.has(shard) || this.#due.has(shard)
    const waiting = this.#waiting.get(shard)
    const now = new Set<string>(isLast ? waiting?.keys() : [])
    const later = new Map<string, TailPosition>()
    const room = isLast ? 0 : WAITING_MAX - (waiting?.size ?? 0)
    let before = from
    for (const { no, index, entry } of records) {
      const { actor, seq } = entry
      if (seq === 1 && later.size < room && !now.has(actor) && this.#parts.mayWait(actor)) {
        // A record that went whole and began anew waits from its first beginning on.
        if (!later.has(actor)) later.set(actor, before)
      } else {
        later.delete(actor)
        now.add(actor)
      }
      before = { no, index }
    }
    return { now, later, isLast }
  }

  /** Up to where the file has the shard when the page is written, of which the log was read up to `position`. */
  upTo(shard: number, position: TailPosition, page?: PageOfRows): TailPosition {
    for (const [actor, before] of this.#waiting.get(shard) ?? [])
      if (page === undefined || !page.now.has(actor)) return before
    const [first = position] = page?.later.values() ?? []
    return first
  }

  written(shard: number, { now, later, isLast }: PageOfRows): void {
    const waiting = this.#waiting.get(shard) ?? new Map<string, TailPosition>()
    for (const actor of now) waiting.delete(actor)
    for (const [actor, before] of later) if (!waiting.has(actor)) waiting.set(actor, before)
    if (isLast) this.#due.delete(shard)
    if (waiting.size === 0) {
      this.#waiting.delete(shard)
      this.#waits.delete(shard)
      return
    }
    this.#waiting.set(shard, waiting)
    if (!this.#waits.has(shard)) this.#beginWait(shard)
  }

  /** The log is read again from where the file stands, or by another node. */
  forget(shard: number): void {
    this.#waiting.delete(shard)
    this.#waits.delete(shard)
    this.#due.delete(shard)
  }

  #beginWait(shard: number): void {
    const wait = Symbol('wait')
    this.#waits.set(shard, wait)
    const fallDue = (): void => {
      // What it was begun for may have been written since.
      if (this.#waits.get(shard) !== wait) return
      this.#waits.delete(shard)
      this.#due.add(shard)
      this.#parts.due(shard)
    }
    // It is over early only where the lists are closed.
    this.#parts.sleep(WAIT_MS).then(fallDue, () => undefined)
  }
}
