import type { Random } from './random.ts'

type Draw = (random: Random) => number

/** Each kind of fault is there in some schedules and absent in others: what one provokes another may hide. */
const maybe =
  (most: number): Draw =>
  (random) =>
    random.chance(0.6) ? random.next() ** 2 * most : 0

const oneOf =
  (...values: readonly number[]): Draw =>
  (random) =>
    random.pick(values)

/** How each fault of a schedule is drawn. Rates are per call of the store. */
const draws = {
  latencyMs: oneOf(1, 5, 20, 120),
  lostRequest: maybe(0.1),
  lostAnswer: maybe(0.15),
  /** Reported as failed, applied long after. */
  appliedLate: maybe(0.12),
  /** Answered, and applied once more long after. */
  appliedTwice: maybe(0.12),
  refused: maybe(0.1),
  neverAnswered: maybe(0.03),
  lateMs: oneOf(500, 5_000, 30_000),
  /** Per action of a process. */
  crash: maybe(0.012),
  pausesPerMinute: maybe(5),
  pauseMs: oneOf(500, 6_000, 11_000, 25_000),
  /** One process is cut off from the store, and askers still reach it. */
  cutsPerMinute: maybe(5),
  cutMs: oneOf(3_000, 12_000, 20_000),
  outagesPerMinute: maybe(2),
  outageMs: oneOf(1_000, 8_000, 20_000),
  wallOffsetMs: oneOf(0, 0, 1_000, 20_000, 600_000),
  /** How much faster or slower monotonic clocks run. */
  monotonicDrift: oneOf(0, 0.001, 0.05),
  /** Instead of being frozen alone a process is suspended with its machine. */
  suspendedShare: oneOf(0, 0, 0.5, 1),
}

/** How wild one schedule is. */
export type Faults = Readonly<Record<keyof typeof draws, number>>

const faultsFrom = (value: (draw: Draw) => number): Faults =>
  Object.fromEntries(Object.entries(draws).map(([name, draw]) => [name, value(draw)])) as Faults

export const CALM: Faults = { ...faultsFrom(() => 0), latencyMs: 5 }

export const drawFaults = (random: Random): Faults => faultsFrom((draw) => draw(random))
