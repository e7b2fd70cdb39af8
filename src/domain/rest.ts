/** A time in which the work of an organisation rested: nothing of it was sent, and no time of it ran out. */
export type Rested = { readonly fromMs: number; readonly untilMs: number }

export type Rest = {
  /** Whether it rests now. */
  readonly isResting: boolean
  readonly before: readonly Rested[]
}

/** How much of the time since then the work has rested: what waited since then has this much longer. */
export const restedSince = ({ before }: Rest, sinceMs: number): number =>
  before.reduce((sum, { fromMs, untilMs }) => sum + Math.max(0, untilMs - Math.max(fromMs, sinceMs)), 0)
