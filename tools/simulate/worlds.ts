import { runAsksSchedule } from './asks/asks-schedule.ts'
import * as asks from './asks/asks-variants.ts'
import { brokenFactsVariants, factsAsBuilt } from './facts-variants.ts'
import { runFactsSchedule } from './facts-world.ts'
import { runLinkSchedule } from './link/link-schedule.ts'
import { brokenLinkVariants, linkAsBuilt } from './link/link-variants.ts'
import { brokenListsVariants, listsAsBuilt } from './lists/lists-variants.ts'
import { runListsSchedule } from './lists/lists-world.ts'
import { runMapSchedule } from './map/map-schedule.ts'
import { brokenMapVariants, mapAsBuilt } from './map/map-variants.ts'
import { brokenRatesVariants, ratesAsBuilt } from './rates-variants.ts'
import { runRatesSchedule } from './rates-world.ts'
import { runSchedule, type ScheduleResult } from './schedule.ts'
import { asBuilt, brokenVariants } from './variants.ts'
import { runWatchSchedule } from './watches/watch-schedule.ts'
import * as watches from './watches/watch-variants.ts'

type Named = { readonly name: string }

/** What can be simulated, as the command line sees it. */
export type SimulatedWorld = {
  readonly about: string
  readonly variants: readonly string[]
  /** Of the schedules that are asked for, how many are run here: worlds with files take a hundred times as long. */
  readonly share: number
  /** Null where there is no such variant. */
  readonly run: (seed: number, variant: string, traced: boolean) => Promise<ScheduleResult> | null
}

const world = <Variant extends Named>(
  about: string,
  played: { readonly asBuilt: Variant; readonly brokenVariants: readonly Variant[] },
  run: (seed: number, variant: Variant, traced: boolean) => Promise<ScheduleResult>,
  share = 1,
): SimulatedWorld => ({
  about,
  variants: played.brokenVariants.map(({ name }) => name),
  share,
  run: (seed, name, traced) => {
    const variant = [played.asBuilt, ...played.brokenVariants].find((each) => each.name === name)
    return variant === undefined ? null : run(seed, variant, traced)
  },
})

export const worlds: Readonly<Record<string, SimulatedWorld>> = {
  log: world('the shard log protocol, with several owners', { asBuilt, brokenVariants }, runSchedule),
  map: world(
    'the map by which shards move between nodes',
    { asBuilt: mapAsBuilt, brokenVariants: brokenMapVariants },
    runMapSchedule,
  ),
  copies: world(
    'copies of records that other nodes read, and what takes them back',
    { asBuilt: factsAsBuilt, brokenVariants: brokenFactsVariants },
    runFactsSchedule,
  ),
  rates: world(
    'windows of rates that are one for all nodes',
    { asBuilt: ratesAsBuilt, brokenVariants: brokenRatesVariants },
    runRatesSchedule,
  ),
  lists: world(
    'lists of all records on every node',
    { asBuilt: listsAsBuilt, brokenVariants: brokenListsVariants },
    runListsSchedule,
    1 / 200,
  ),
  link: world(
    'connections between nodes, with lost, doubled, late and exchanged frames',
    { asBuilt: linkAsBuilt, brokenVariants: brokenLinkVariants },
    runLinkSchedule,
  ),
  asks: world('asks between nodes whose shards move', asks, runAsksSchedule),
  watches: world('mailboxes that are watched on other nodes than their own', watches, runWatchSchedule),
}

export const AS_BUILT = asBuilt.name
