import type { TimerRow } from '../ports/journal.ts'
import { timerKey } from './shard-log-tail.ts'
import { entriesOf, type LogSlot } from './store-port.ts'

/**
 * Every timer due before the floor has fired or was cleared, so that a read of due timers need not pass over all
 * earlier ones. A row that is set below the floor would be missed by such a read: it is held here, and its slot stays
 * after the checkpoint until the row is done, so that a takeover finds it in the log.
 */
export class TimerFloor {
  #floorMs: number
  /** The earliest row set since the last scan began; the scan may have missed it. */
  #lowestSetMs = Number.POSITIVE_INFINITY
  readonly #held = new Map<string, { readonly row: TimerRow; readonly no: number }>()

  constructor(floorMs: number) {
    this.#floorMs = floorMs
  }

  get floorMs(): number {
    return this.#floorMs
  }

  add(slot: LogSlot): void {
    for (const entry of entriesOf(slot)) {
      if (this.#held.size > 0) this.done(entry.timersCleared)
      for (const row of entry.timersSet) {
        this.#lowestSetMs = Math.min(this.#lowestSetMs, row.dueMs)
        if (row.dueMs < this.#floorMs) this.#held.set(timerKey(row), { row, no: slot.no })
      }
    }
  }

  done(rows: readonly TimerRow[]): void {
    if (this.#held.size > 0) for (const row of rows) this.#held.delete(timerKey(row))
  }

  /** A moved row has no slot of its own that a takeover could find it by, so it is lifted to the floor. */
  lift(row: TimerRow): TimerRow {
    return row.dueMs < this.#floorMs ? { ...row, dueMs: this.#floorMs } : row
  }

  held(): readonly TimerRow[] {
    return [...this.#held.values()].map(({ row }) => row)
  }

  /** The newest slot that a checkpoint may claim as copied. */
  copiedUpTo(copiedNo: number): number {
    let upTo = copiedNo
    for (const { no } of this.#held.values()) upTo = Math.min(upTo, no - 1)
    return upTo
  }

  /**
   * Raises the floor to the earliest pending row, at most to `horizonMs`. `scan` reads the first copied row in a span.
   */
  async raise(
    horizonMs: number,
    uncopied: readonly TimerRow[],
    scan: (fromMs: number, untilMs: number) => Promise<readonly TimerRow[]>,
  ): Promise<void> {
    if (horizonMs <= this.#floorMs || this.#held.size > 0) return
    this.#lowestSetMs = Number.POSITIVE_INFINITY
    const [first] = await scan(this.#floorMs, horizonMs)
    const candidates = [horizonMs, this.#lowestSetMs, ...uncopied.map((row) => row.dueMs)]
    if (first !== undefined) candidates.push(first.dueMs)
    const floorMs = candidates.reduce((least, dueMs) => Math.min(least, dueMs))
    if (this.#held.size === 0) this.#floorMs = Math.max(this.#floorMs, floorMs)
  }
}
