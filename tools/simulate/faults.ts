import type { Random } from './random.ts'

/** How wild one schedule is. Rates are per call of the store. */
export type Faults = {
  readonly latencyMs: number
  readonly lostRequest: number
  readonly lostAnswer: number
  /** Reported as failed, applied long after. */
  readonly appliedLate: number
  /** Answered, and applied once more long after. */
  readonly appliedTwice: number
  readonly refused: number
  readonly neverAnswered: number
  readonly lateMs: number
  /** Per action of a process. */
  readonly crash: number
  readonly pausesPerMinute: number
  readonly pauseMs: number
  /** One process is cut off from the store, and askers still reach it. */
  readonly cutsPerMinute: number
  readonly cutMs: number
  readonly outagesPerMinute: number
  readonly outageMs: number
  readonly wallOffsetMs: number
  /** How much faster or slower monotonic clocks run. */
  readonly monotonicDrift: number
}

export const CALM: Faults = {
  latencyMs: 5,
  lostRequest: 0,
  lostAnswer: 0,
  appliedLate: 0,
  appliedTwice: 0,
  refused: 0,
  neverAnswered: 0,
  lateMs: 0,
  crash: 0,
  pausesPerMinute: 0,
  pauseMs: 0,
  cutsPerMinute: 0,
  cutMs: 0,
  outagesPerMinute: 0,
  outageMs: 0,
  wallOffsetMs: 0,
  monotonicDrift: 0,
}

/** Each kind of fault is there in some schedules and absent in others: what one provokes another may hide. */
export const drawFaults = (random: Random): Faults => {
  const maybe = (most: number): number => (random.chance(0.6) ? random.next() ** 2 * most : 0)
  return {
    ...CALM,
    latencyMs: random.pick([1, 5, 20, 120]),
    lostRequest: maybe(0.1),
    lostAnswer: maybe(0.15),
    appliedLate: maybe(0.12),
    appliedTwice: maybe(0.12),
    refused: maybe(0.1),
    neverAnswered: maybe(0.03),
    lateMs: random.pick([500, 5_000, 30_000]),
    crash: maybe(0.012),
    pausesPerMinute: maybe(5),
    pauseMs: random.pick([500, 6_000, 11_000, 25_000]),
    cutsPerMinute: maybe(5),
    cutMs: random.pick([3_000, 12_000, 20_000]),
    outagesPerMinute: maybe(2),
    outageMs: random.pick([1_000, 8_000, 20_000]),
    wallOffsetMs: random.pick([0, 0, 1_000, 20_000, 600_000]),
    monotonicDrift: random.pick([0, 0.001, 0.05]),
  }
}
