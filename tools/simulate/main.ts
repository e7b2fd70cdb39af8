import { Command, Option } from 'commander'
import { wholeNumber } from '../harness/whole-number.ts'
import type { ScheduleResult } from './schedule.ts'
import { AS_BUILT, type SimulatedWorld, worlds } from './worlds.ts'

const TRACE_LINES_SHOWN = 80
const PROGRESS_MS = 10_000
const SEEDS_OF_A_VARIANT_MAX = 5_000

type Settings = { schedules: number; fromSeed: number; seed?: number; variant: string; world?: string }

const settings = new Command('simulate')
  .description('Schedules of crashes, delays, losses and moves in virtual time, from seeds.')
  .option('--schedules <count>', 'how many of each world; of lists one in 200', wholeNumber(), 2_000)
  .option('--from-seed <seed>', 'of the first', wholeNumber(), 1)
  .option('--seed <seed>', 'replays this one and prints its trace', wholeNumber())
  .addOption(new Option('--world <name>', 'what is simulated; all of them').choices(Object.keys(worlds)))
  .option('--variant <name>', 'which the replayed schedule runs, as built or deliberately broken', AS_BUILT)
  .parse()
  .opts<Settings>()

const run = (
  world: SimulatedWorld,
  seed: number,
  variant: string,
  traced: boolean,
): Promise<ScheduleResult> => {
  const running = world.run(seed, variant, traced)
  if (running === null) throw new Error(`There is no variant ${variant}: ${world.variants.join(', ')}`)
  return running
}

const replay = async (world: SimulatedWorld, seed: number, variant: string): Promise<number> => {
  const result = await run(world, seed, variant, true)
  console.log((result.trace ?? []).join('\n'))
  console.log(`seed ${seed}, ${variant}: ${result.violation?.stack ?? 'no violation'}`)
  return result.violation === null ? 0 : 1
}

const tell = async (
  name: string,
  world: SimulatedWorld,
  { seed, violation }: ScheduleResult,
): Promise<void> => {
  const traced = await run(world, seed, AS_BUILT, true)
  console.log((traced.trace ?? []).slice(-TRACE_LINES_SHOWN).join('\n'))
  console.log(`VIOLATION with seed ${seed}: ${traced.violation?.stack ?? violation?.message}`)
  console.log(`The whole trace: npm run simulate -- --world ${name} --seed ${seed}`)
}

/** The number of violations. */
const runAll = async (name: string, world: SimulatedWorld, from: number, count: number): Promise<number> => {
  const startedMs = performance.now()
  let [toldMs, violations, steps, slots] = [startedMs, 0, 0, 0]
  const perSecond = (done: number): string => ((done * 1000) / (performance.now() - startedMs)).toFixed(0)
  for (let done = 0; done < count; done++) {
    const result = await run(world, from + done, AS_BUILT, false)
    steps += result.steps
    slots += result.slots
    if (result.violation !== null) {
      violations++
      await tell(name, world, result)
    }
    if (performance.now() - toldMs < PROGRESS_MS) continue
    toldMs = performance.now()
    console.log(
      `${name}: ${done + 1} of ${count} schedules, ${perSecond(done + 1)}/s, ${violations} violations`,
    )
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  console.log(
    `${name}: ${count} schedules from seed ${from} in ${seconds} s (${perSecond(count)}/s), ${steps} steps, ` +
      `${slots} log slots: ${violations} violations`,
  )
  return violations
}

/** The number of variants whose mistake nobody noticed. */
const catchAll = async (name: string, world: SimulatedWorld): Promise<number> => {
  let missed = 0
  for (const variant of world.variants) {
    let caught: ScheduleResult | null = null
    for (let seed = 1; seed <= SEEDS_OF_A_VARIANT_MAX && caught === null; seed++) {
      const result = await run(world, seed, variant, false)
      if (result.violation !== null) caught = result
    }
    if (caught === null) missed++
    console.log(
      caught === null
        ? `${name}: NOT CAUGHT in ${SEEDS_OF_A_VARIANT_MAX} schedules: ${variant}`
        : `${name}: caught ${variant} with seed ${caught.seed}: ${caught.violation?.message}`,
    )
  }
  return missed
}

const main = async (): Promise<number> => {
  const { seed, variant, fromSeed, schedules } = settings
  const wanted = Object.entries(worlds).filter(([name]) => name === (settings.world ?? name))
  const [first] = wanted
  if (first === undefined) throw new Error('there is nothing to simulate')
  if (seed !== undefined) return replay(first[1], seed, variant)
  let failed = 0
  for (const [name, world] of wanted) {
    failed += await runAll(name, world, fromSeed, Math.ceil(schedules * world.share))
    failed += await catchAll(name, world)
  }
  return failed > 0 ? 1 : 0
}

process.exitCode = await main()
