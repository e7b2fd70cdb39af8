import { runAsksSchedule } from './asks/asks-schedule.ts'
import * as asks from './asks/asks-variants.ts'
import { runMapSchedule } from './map/map-schedule.ts'
import { brokenMapVariants, mapAsBuilt } from './map/map-variants.ts'
import { runSchedule, type ScheduleResult } from './schedule.ts'
import * as log from './variants.ts'

type Named = { readonly name: string }

/** What can be simulated, as the command line sees it. */
export type SimulatedWorld = {
  readonly about: string
  readonly variants: readonly string[]
  /** Null where there is no such variant. */
  readonly run: (seed: number, variant: string, traced: boolean) => Promise<ScheduleResult> | null
}

const world = <Variant extends Named>(
  about: string,
  { asBuilt, brokenVariants }: { readonly asBuilt: Variant; readonly brokenVariants: readonly Variant[] },
  run: (seed: number, variant: Variant, traced: boolean) => Promise<ScheduleResult>,
): SimulatedWorld => ({
  about,
  variants: brokenVariants.map(({ name }) => name),
  run: (seed, name, traced) => {
    const variant = [asBuilt, ...brokenVariants].find((each) => each.name === name)
    return variant === undefined ? null : run(seed, variant, traced)
  },
})

export const worlds: Readonly<Record<string, SimulatedWorld>> = {
  log: world('the shard log protocol, with several owners', log, runSchedule),
  map: world(
    'the map by which shards move between nodes',
    { asBuilt: mapAsBuilt, brokenVariants: brokenMapVariants },
    runMapSchedule,
  ),
  asks: world('asks between nodes whose shards move', asks, runAsksSchedule),
}

export const AS_BUILT = log.asBuilt.name
