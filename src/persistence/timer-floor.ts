import type { TimerRow } from '../ports/journal.ts'
import { timerKey } from './uncopied-slots.ts'
import { entriesOf, type LogSlot } from './store-port.ts'

/**
 * Every row due before the floor is done with, so that reading the due timers need not pass over all that ever fired.
 * A row that is set below the floor all the same would be missed there: it is held here, and its slot stays after the
 * checkpoint until the row is done, so that a takeover finds it in the log.
 */
export class TimerFloor {
  #floorMs: number
  /** Of the rows set since the last scan began, which may have missed them. */
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

  /** A row that moves to below the floor has no slot to find it by. */
  lift(row: TimerRow): TimerRow {
    return row.dueMs < this.#floorMs ? { ...row, dueMs: this.#floorMs } : row
  }

  held(): readonly TimerRow[] {
    return [...this.#held.values()].map(({ row }) => row)
  }

  /** The newest slot that a checkpoint may name. */
  copiedUpTo(copiedNo: number): number {
    let upTo = copiedNo
    for (const { no } of this.#held.values()) upTo = Math.min(upTo, no - 1)
    return upTo
  }

  /** To the earliest row that is pending, at most to `horizonMs`. `scan` reads the first row of the copies in a span. */
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
