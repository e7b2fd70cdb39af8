import { Command, Option } from 'commander'
import { wholeNumber } from '../harness/whole-number.ts'
import type { ScheduleResult } from './schedule.ts'
import { asBuilt } from './variants.ts'
import { type SimulatedWorld, worlds } from './worlds.ts'

const TRACE_LINES_SHOWN = 80
const PROGRESS_MS = 10_000
const CATCH_SCHEDULES_MAX = 5_000

type Settings = { schedules: number; fromSeed: number; seed?: number; variant: string; world: string }
type Run = NonNullable<ReturnType<SimulatedWorld['variants']['get']>>

const settings = new Command('simulate')
  .description('Schedules of a cluster with crashes, delays and several owners, from seeds.')
  .addOption(
    new Option(
      '--world <name>',
      'the shard log under owners by a fixed rule, the map by which shards move, or both',
    )
      .choices(['log', 'map', 'all'])
      .default('all'),
  )
  .option('--schedules <count>', 'how many in each world', wholeNumber(), 2_000)
  .option('--from-seed <seed>', 'of the first', wholeNumber(), 1)
  .option('--seed <seed>', 'replays this one and prints its trace', wholeNumber())
  .option(
    '--variant <name>',
    'which the replayed schedule runs, as built or deliberately broken',
    asBuilt.name,
  )
  .parse()
  .opts<Settings>()

const replay = async (world: SimulatedWorld, seed: number, run: Run): Promise<number> => {
  const result = await run(seed, true)
  console.log((result.trace ?? []).join('\n'))
  console.log(
    `world ${world.name}, seed ${seed}, ${settings.variant}: ${result.violation?.stack ?? 'no violation'}`,
  )
  return result.violation === null ? 0 : 1
}

const tell = async (world: SimulatedWorld, { seed, violation }: ScheduleResult, run: Run): Promise<void> => {
  const traced = await run(seed, true)
  console.log((traced.trace ?? []).slice(-TRACE_LINES_SHOWN).join('\n'))
  console.log(`VIOLATION with seed ${seed}: ${traced.violation?.stack ?? violation?.message}`)
  console.log(`The whole trace: npm run simulate -- --world ${world.name} --seed ${seed}`)
}

/** The number of violations. */
const runAll = async (world: SimulatedWorld, run: Run): Promise<number> => {
  const { fromSeed, schedules } = settings
  const startedMs = performance.now()
  let [toldMs, violations, steps, slots] = [startedMs, 0, 0, 0]
  const perSecond = (done: number): string => ((done * 1000) / (performance.now() - startedMs)).toFixed(0)
  for (let done = 0; done < schedules; done++) {
    const result = await run(fromSeed + done, false)
    steps += result.steps
    slots += result.slots
    if (result.violation !== null) {
      violations++
      await tell(world, result, run)
    }
    if (performance.now() - toldMs < PROGRESS_MS) continue
    toldMs = performance.now()
    console.log(
      `${world.name}: ${done + 1} of ${schedules} schedules, ${perSecond(done + 1)}/s, ${violations} violations`,
    )
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  console.log(
    `${world.name}: ${schedules} schedules from seed ${fromSeed} in ${seconds} s (${perSecond(schedules)}/s), ` +
      `${steps} steps, ${slots} log slots: ${violations} violations`,
  )
  return violations
}

/** The number of variants whose mistake nobody noticed. */
const catchAll = async ({ name: world, variants }: SimulatedWorld): Promise<number> => {
  let missed = 0
  for (const [name, run] of variants) {
    if (name === asBuilt.name) continue
    let caught: ScheduleResult | null = null
    for (let seed = 1; seed <= CATCH_SCHEDULES_MAX && caught === null; seed++) {
      const result = await run(seed, false)
      if (result.violation !== null) caught = result
    }
    if (caught === null) missed++
    console.log(
      caught === null
        ? `${world}: NOT CAUGHT in ${CATCH_SCHEDULES_MAX} schedules: ${name}`
        : `${world}: caught ${name} with seed ${caught.seed}: ${caught.violation?.message}`,
    )
  }
  return missed
}

const main = async (): Promise<number> => {
  const { seed, variant, world: wanted } = settings
  const chosen = worlds.filter(({ name }) => wanted === 'all' || name === wanted)
  if (seed !== undefined) {
    const world = chosen.find(({ variants }) => variants.has(variant))
    const run = world?.variants.get(variant)
    if (world !== undefined && run !== undefined) return replay(world, seed, run)
    const names = chosen.flatMap(({ variants }) => [...variants.keys()])
    console.log(`There is no variant ${variant}: ${names.join(', ')}`)
    return 1
  }
  let failures = 0
  for (const world of chosen) {
    const run = world.variants.get(asBuilt.name)
    if (run !== undefined) failures += await runAll(world, run)
    failures += await catchAll(world)
  }
  return failures > 0 ? 1 : 0
}

process.exitCode = await main()
