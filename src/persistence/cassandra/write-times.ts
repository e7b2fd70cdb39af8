/**
 * Of two writes to the same cell Cassandra keeps the one with the greater write time. The journal sets the times
 * itself, from slot numbers and epochs: a late write of an old owner loses whatever its clock says.
 */
const PER_SLOT = 2 ** 20
const PER_EPOCH = 2 ** 42
const DAY_US = 86_400_000_000

/** The time of what a slot itself did. */
export const timeOfSlot = (no: number): number => no * PER_SLOT

/** Later than everything that slot `no` did and that was decided before the slot after it. */
export const timeAfterSlot = (no: number): number => no * PER_SLOT + PER_SLOT - 1

/** Of two snapshots between the same slots the one of more events is later; both are before what is done after the slot. */
export const timeOfSnapshot = (atNo: number, seq: number): number =>
  Math.max(0, atNo) * PER_SLOT + Math.min(seq, PER_SLOT - 2)

/**
 * Within an epoch the greater value wins, and a later epoch wins over both. The text of a BigInt, because it outgrows
 * 2^53.
 */
export const timeOfCheckpoint = (epoch: number, value: number): string =>
  (BigInt(epoch) * BigInt(PER_EPOCH) + BigInt(Math.floor(value) + 1)).toString()

export const timeOfPosition = (no: number, index: number): string =>
  (BigInt(no) * BigInt(PER_SLOT) + BigInt(index + 1)).toString()

/** Later than any write of a conditional insert, even if clocks differ by accident. */
export const timeBeyondClocks = (nowMs: number): number => nowMs * 1_000 + DAY_US

/** Gives times to what happens between two slots, in the order in which it was asked for. */
export class TimesBetweenSlots {
  readonly #latest = new Map<number, { no: number; step: number }>()

  next(shard: number, atNo: number): number {
    const latest = this.#latest.get(shard)
    const step = latest === undefined || latest.no < atNo ? 1 : Math.min(latest.step + 1, PER_SLOT - 2)
    this.#latest.set(shard, { no: Math.max(atNo, latest?.no ?? 0), step })
    return timeOfSlot(atNo) + step
  }
}
