/**
 * Cassandra keeps, of two writes to the same cell, the one with the greater write time. The journal gives the times
 * itself, made of slot numbers and epochs: an old owner's late write loses whatever its clock says.
 */
const PER_SLOT = 2 ** 20
const PER_EPOCH = 2 ** 42
const DAY_US = 86_400_000_000

/** What a slot itself did. */
export const timeOfSlot = (no: number): number => no * PER_SLOT

/** After everything that slot `no` and its followers up to the next one did. */
export const timeAfterSlot = (no: number): number => no * PER_SLOT + PER_SLOT - 1

/** The greater value wins within an epoch, the later epoch before that. As BigInt's text, because it outgrows 2^53. */
export const timeOfCheckpoint = (epoch: number, value: number): string =>
  (BigInt(epoch) * BigInt(PER_EPOCH) + BigInt(Math.floor(value) + 1)).toString()

export const timeOfPosition = (no: number, index: number): string =>
  (BigInt(no) * BigInt(PER_SLOT) + BigInt(index + 1)).toString()

/** Later than any write that a conditional insert can have made, however far clocks are apart by accident. */
export const timeBeyondClocks = (nowMs: number): number => nowMs * 1_000 + DAY_US

/** Orders what happens between two slots in the order in which it was asked for. */
export class TimesBetweenSlots {
  readonly #latest = new Map<number, { no: number; step: number }>()

  next(shard: number, atNo: number): number {
    const latest = this.#latest.get(shard)
    const step = latest === undefined || latest.no < atNo ? 1 : Math.min(latest.step + 1, PER_SLOT - 2)
    this.#latest.set(shard, { no: Math.max(atNo, latest?.no ?? 0), step })
    return timeOfSlot(atNo) + step
  }
}
