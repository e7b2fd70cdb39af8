import { median, percentile } from './statistics.ts'

/** What one contestant measured in one round: the same names every time. */
export type Measures<Name extends string = string> = Readonly<Record<Name, number>>

export type Contestants = Readonly<Record<string, (round: number) => Promise<Measures>>>

export type RoundsOptions<Parts extends Contestants> = {
  readonly rounds: number
  /** Rounds that run first and are thrown away. */
  readonly warmups?: number
  readonly contestants: Parts
  readonly progress?: (text: string) => void
}

export class RoundsResult<Parts extends Contestants> {
  readonly #measured: ReadonlyMap<string, readonly Measures[]>

  constructor(measured: ReadonlyMap<string, readonly Measures[]>) {
    this.#measured = measured
  }

  /** The measure of one contestant, one value a round. */
  values<Who extends keyof Parts & string>(who: Who, measure: MeasureOf<Parts[Who]>): number[] {
    return (this.#measured.get(who) ?? []).map((measures) => {
      const value = measures[measure]
      if (value === undefined || !Number.isFinite(value)) throw new Error(`${who} measured no ${measure}`)
      return value
    })
  }

  median<Who extends keyof Parts & string>(who: Who, measure: MeasureOf<Parts[Who]>): number {
    return median(this.values(who, measure))
  }

  /**
   * Median of the ratios round by round. Both sides of each ratio ran within seconds of each other, so that a
   * machine that grows slower during the run moves both.
   */
  ratio<Who extends keyof Parts & string, Beside extends keyof Parts & string>(
    who: Who,
    beside: Beside,
    measure: MeasureOf<Parts[Who]> & MeasureOf<Parts[Beside]>,
  ): number {
    return median(this.#ratios(who, beside, measure))
  }

  /** Quarter and three-quarter points of the same ratios: how far the median may be trusted. */
  ratioSpread<Who extends keyof Parts & string, Beside extends keyof Parts & string>(
    who: Who,
    beside: Beside,
    measure: MeasureOf<Parts[Who]> & MeasureOf<Parts[Beside]>,
  ): readonly [number, number] {
    const ratios = this.#ratios(who, beside, measure)
    return [percentile(ratios, 25), percentile(ratios, 75)]
  }

  #ratios(who: string, beside: string, measure: string): number[] {
    const below = this.values(beside, measure)
    return this.values(who, measure).map((value, round) => {
      const divisor = below[round]
      if (!divisor) throw new Error(`${beside} measured ${measure} = ${divisor} in round ${round + 1}`)
      return value / divisor
    })
  }
}

type MeasureOf<Part extends (round: number) => Promise<Measures>> = keyof Awaited<ReturnType<Part>> & string

/** Runs the contestants in turn, every other round in the opposite order, so that drift favours none. */
export async function interleave<Parts extends Contestants>(
  options: RoundsOptions<Parts>,
): Promise<RoundsResult<Parts>> {
  const names = Object.keys(options.contestants)
  const warmups = options.warmups ?? 1
  const measured = new Map<string, Measures[]>(names.map((name) => [name, []]))
  for (let round = -warmups; round < options.rounds; round++) {
    const order = round % 2 === 0 ? names : names.toReversed()
    for (const name of order) {
      options.progress?.(round < 0 ? `warm-up: ${name}` : `round ${round + 1} of ${options.rounds}: ${name}`)
      const measures = await options.contestants[name]?.(round)
      if (round >= 0 && measures) measured.get(name)?.push(measures)
    }
  }
  return new RoundsResult(measured)
}
