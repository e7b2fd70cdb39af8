import { runMapSchedule } from './map/map-schedule.ts'
import { brokenMapVariants, mapAsBuilt } from './map/map-variants.ts'
import { runSchedule, type ScheduleResult } from './schedule.ts'
import { asBuilt, brokenVariants, type Variant } from './variants.ts'

type Run = (seed: number, traced: boolean) => Promise<ScheduleResult>

/** What one world runs: as built, and with each of its mistakes. */
export type SimulatedWorld = {
  readonly name: 'log' | 'map'
  readonly variants: ReadonlyMap<string, Run>
}

const worldOf = <Played extends Variant>(
  name: SimulatedWorld['name'],
  variants: readonly Played[],
  run: (seed: number, variant: Played, traced: boolean) => Promise<ScheduleResult>,
): SimulatedWorld => ({
  name,
  variants: new Map(
    variants.map((variant) => [variant.name, (seed, traced) => run(seed, variant, traced)] as const),
  ),
})

/** `log`: owners by a fixed rule, and everything that may go wrong with a log. `map`: shards that move. */
export const worlds: readonly SimulatedWorld[] = [
  worldOf('log', [asBuilt, ...brokenVariants], runSchedule),
  worldOf('map', [mapAsBuilt, ...brokenMapVariants], runMapSchedule),
]
