import type { LastSnapshot, TimerRow } from '../../ports/journal.ts'
import type { ActorState } from '../state/actor-state.ts'
import { FORGET_TIMER } from '../timers/shard-timers.ts'
import type { Resident } from './resident.ts'

/** More than the records of a shard of which retention and callers end the personal data in the 40 s that one is noted. */
const NOTED_MAX = 20_000
/** Two steps of the journal: a caller who asks for a record that is being forgotten waits for all records begun before. */
const UNDER_WAY_MAX = 128

type Departure = {
  readonly last: LastSnapshot
  /** From this time on the record counts as one that never was; null where its last snapshot stays. */
  readonly goneAtMs: number | null
  /** Resolves when the journal has let the record's events go, or could not; null until the host begins with it. */
  underWay: Promise<void> | null
}

export type DepartedParts = {
  readonly nowMs: () => number
  /** Writes the last snapshot of a record that is not in memory, and lets its events go. */
  readonly forget: (row: TimerRow, last: LastSnapshot) => Promise<void>
}

/**
 * Records without personal data that have left memory and wait only for their events to go. Noted is the little that has
 * to be written then: to keep the whole resident for half a minute fills the old space of the heap, and to read it again
 * costs more than to forget it.
 */
export class Departed {
  readonly #parts: DepartedParts
  readonly #departures = new Map<string, Departure>()
  #underWay = 0

  constructor(parts: DepartedParts) {
    this.#parts = parts
  }

  /** With how many records more, noted or not, the host may begin now. */
  get room(): number {
    return UNDER_WAY_MAX - this.#underWay
  }

  /** Whether there is nothing left to do for an idle record but to let its events go, and that soon. */
  isSpent({ state }: Resident): boolean {
    // Asked after each commit, and most of them leave nothing to forget.
    if (state === null || state.forgetRow === null || state.waitsForReader) return false
    return isSpent(state, this.#parts.nowMs())
  }

  /** Notes what is left to do for the record, so that the record may leave memory; false where there is more to do. */
  takes(resident: Resident): boolean {
    const { actor, state } = resident
    if (state === null || !this.isSpent(resident) || this.#departures.size >= NOTED_MAX) return false
    const { goneAtMs } = state
    const last = goneAtMs === null ? state.lastSnapshot() : { seq: state.seq, data: null }
    this.#departures.set(actor, { last, goneAtMs, underWay: null })
    return true
  }

  /** Begins with a record that is noted; false for any other row. */
  forget(row: TimerRow): boolean {
    const departure = this.#departures.get(row.actor)
    if (departure === undefined || row.timerId !== FORGET_TIMER || departure.underWay !== null) return false
    // A clock that was set back has its record read again.
    if (departure.goneAtMs !== null && departure.goneAtMs > this.#parts.nowMs()) return false
    this.#underWay++
    departure.underWay = this.#parts.forget(row, departure.last).finally(() => {
      this.#underWay--
      this.#departures.delete(row.actor)
    })
    return true
  }

  /** A record that has departed was here before, whatever its caller says. */
  knows(actor: string): boolean {
    return this.#departures.has(actor)
  }

  /** The record is wanted again: what is noted holds no longer. Null where it can be read at once. */
  comesBack(actor: string): Promise<void> | null {
    const departure = this.#departures.get(actor)
    if (departure === undefined) return null
    if (departure.underWay === null) this.#departures.delete(actor)
    return departure.underWay
  }

  clear(): void {
    this.#departures.clear()
  }
}

/** No personal data is left of the record, and nothing is to come but that its events go, or the whole record. */
const isSpent = ({ isOver, isAtRest, goneAtMs, definition, state }: ActorState, nowMs: number): boolean => {
  if (!isOver || !isAtRest) return false
  return goneAtMs === null ? definition.erased(state) : goneAtMs <= nowMs && definition.keyParent === null
}
