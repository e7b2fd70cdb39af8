import pLimit from 'p-limit'
import type { Random } from '../simulate/random.ts'
import type { OptionSpecs, OptionValues } from '../../bench/harness/options.ts'

export type Report = { readonly problems: readonly string[] }

/** What happens to the processes, and what must hold afterwards: `problems` has a sentence for everything that does not. */
export type Scenario<Specs extends OptionSpecs = OptionSpecs, Made extends Report = Report> = {
  readonly about: string
  readonly options: Specs
  run(values: OptionValues<Specs>, say: (line: string) => void): Promise<Made>
}

export const defineScenario = <const Specs extends OptionSpecs, Made extends Report>(
  scenario: Scenario<Specs, Made>,
): Scenario<Specs, Made> => scenario

export const count = (byDefault: number, about: string) =>
  ({ type: 'number', default: byDefault, about }) as const

export const seedOption = count(Date.now() % 1_000_000, 'draws the same again')

export const engineOption = {
  type: 'string',
  choices: ['sqlite', 'cassandra'],
  default: 'sqlite',
  about: 'engine of the journal',
} as const

export const shuffled = <Item>(random: Random, items: readonly Item[]): Item[] => {
  const left = [...items]
  return items.flatMap(() => left.splice(random.below(left.length), 1))
}

/** Runs `step` for each number from 1, so many at a time. */
export const inLanes = async (
  lanes: number,
  total: number,
  step: (number: number) => Promise<void>,
): Promise<void> => {
  const limit = pLimit(lanes)
  await Promise.all(Array.from({ length: total }, (_, index) => limit(step, index + 1)))
}

export const medianAndMost = (values: readonly number[]): { median: number; most: number } => {
  const sorted = [...values].sort((left, right) => left - right)
  return {
    median: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
    most: Math.round(sorted.at(-1) ?? 0),
  }
}
