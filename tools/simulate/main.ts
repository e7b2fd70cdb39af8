import { Command } from 'commander'
import { wholeNumber } from '../harness/whole-number.ts'
import { runSchedule, type ScheduleResult } from './schedule.ts'
import { asBuilt, brokenVariants, type Variant } from './variants.ts'

const TRACE_LINES_SHOWN = 80
const PROGRESS_MS = 10_000

type Settings = { schedules: number; fromSeed: number; seed?: number; variant: string }

const settings = new Command('simulate')
  .description('Schedules of the shard log protocol with crashes, delays and several owners, from seeds.')
  .option('--schedules <count>', 'how many', wholeNumber(), 2_000)
  .option('--from-seed <seed>', 'of the first', wholeNumber(), 1)
  .option('--seed <seed>', 'replays this one and prints its trace', wholeNumber())
  .option(
    '--variant <name>',
    'which the replayed schedule runs, as built or deliberately broken',
    asBuilt.name,
  )
  .parse()
  .opts<Settings>()

const replay = async (seed: number, variant: Variant): Promise<number> => {
  const result = await runSchedule(seed, variant, true)
  console.log((result.trace ?? []).join('\n'))
  console.log(`seed ${seed}, ${variant.name}: ${result.violation?.stack ?? 'no violation'}`)
  return result.violation === null ? 0 : 1
}

const tell = async (result: ScheduleResult, variant: Variant): Promise<void> => {
  const traced = await runSchedule(result.seed, variant, true)
  console.log((traced.trace ?? []).slice(-TRACE_LINES_SHOWN).join('\n'))
  console.log(`VIOLATION with seed ${result.seed}: ${traced.violation?.stack ?? result.violation?.message}`)
  console.log(`The whole trace: npm run simulate -- --seed ${result.seed}`)
}

/** The number of violations. */
const runAll = async (from: number, count: number): Promise<number> => {
  const startedMs = performance.now()
  let [toldMs, violations, steps, slots] = [startedMs, 0, 0, 0]
  const perSecond = (done: number): string => ((done * 1000) / (performance.now() - startedMs)).toFixed(0)
  for (let done = 0; done < count; done++) {
    const result = await runSchedule(from + done, asBuilt, false)
    steps += result.steps
    slots += result.slots
    if (result.violation !== null) {
      violations++
      await tell(result, asBuilt)
    }
    if (performance.now() - toldMs < PROGRESS_MS) continue
    toldMs = performance.now()
    console.log(`${done + 1} of ${count} schedules, ${perSecond(done + 1)}/s, ${violations} violations`)
  }
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
  console.log(
    `${count} schedules from seed ${from} in ${seconds} s (${perSecond(count)}/s), ${steps} steps, ${slots} log slots: ` +
      `${violations} violations`,
  )
  return violations
}

/** The number of variants whose mistake nobody noticed. */
const catchAll = async (most: number): Promise<number> => {
  let missed = 0
  for (const variant of brokenVariants) {
    let caught: ScheduleResult | null = null
    for (let seed = 1; seed <= most && caught === null; seed++) {
      const result = await runSchedule(seed, variant, false)
      if (result.violation !== null) caught = result
    }
    if (caught === null) missed++
    console.log(
      caught === null
        ? `NOT CAUGHT in ${most} schedules: ${variant.name}`
        : `caught ${variant.name} with seed ${caught.seed}: ${caught.violation?.message}`,
    )
  }
  return missed
}

const main = async (): Promise<number> => {
  const variant = [asBuilt, ...brokenVariants].find(({ name }) => name === settings.variant)
  if (variant === undefined) {
    console.log(
      `There is no variant ${settings.variant}: ${brokenVariants.map(({ name }) => name).join(', ')}`,
    )
    return 1
  }
  if (settings.seed !== undefined) return replay(settings.seed, variant)
  const violations = await runAll(settings.fromSeed, settings.schedules)
  const missed = await catchAll(5_000)
  return violations + missed > 0 ? 1 : 0
}

process.exitCode = await main()
