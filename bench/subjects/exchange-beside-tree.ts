import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BenchmarkContext, Figures } from '../harness/benchmark.ts'
import type { OptionValues } from '../harness/options.ts'
import { interleave } from '../harness/rounds.ts'
import { median } from '../harness/statistics.ts'
import type { Subject } from './exchange-beside-bare.ts'
import type { exchangeOptions } from './exchange-options.ts'
import { type ExchangeStage, openStage } from './exchange-stage.ts'

/**
 * After ten rounds V8 still compiles for a tenth of the time of an exchange, the more the larger a tree is; what one
 * exchange takes is to be compared, and not what is compiled once.
 */
const WARMUPS = 30

const NAMES = ['here', 'there'] as const
type Name = (typeof NAMES)[number]

/** What is over is forgotten by then, which belongs to the exchanges too. */
const FORGOTTEN_AFTER_MS = 45_000

/**
 * Complete exchanges of this service, in turn with those of another tree's: each has wallets and a tenant of its own,
 * which are this tree's, and both run in every minute of the benchmark, whatever else the machine is doing in it. Two
 * starts of one tree differ by a tenth, so the benchmark starts both services several times, each time in the opposite
 * order.
 */
export const besideTree = async (
  context: BenchmarkContext<OptionValues<typeof exchangeOptions>>,
  subject: Subject,
): Promise<Figures> => {
  const { starts } = context.options
  const all: StartFigures[] = []
  for (let start = 1; start <= starts; start++) {
    const started: AsyncDisposable[] = []
    try {
      all.push(await oneStart(context, subject, start, started))
    } finally {
      for (const each of started.toReversed()) await each[Symbol.asyncDispose]()
    }
  }
  const { note } = context
  const ratios = all.map(({ cpu_ratio_to_tree: ratio }) => ratio.toFixed(3))
  note('cpu_ms: processor time of the whole service per exchange, from the API call to quiet.')
  note(
    'with_rest_ms: of everything from the first counted round to 45 s after the last one, idle time included.',
  )
  note(`The median of ${starts} starts, whose ratios are ${ratios.join(', ')}.`)
  const names = Object.keys(all[0] ?? {}) as (keyof StartFigures)[]
  return Object.fromEntries(names.map((name) => [name, median(all.map((figures) => figures[name]))]))
}

type StartFigures = Awaited<ReturnType<typeof oneStart>>

const oneStart = async (
  { options, progress }: BenchmarkContext<OptionValues<typeof exchangeOptions>>,
  subject: Subject,
  start: number,
  started: AsyncDisposable[],
) => {
  const { engine, exchanges, rounds, at_once: atOnce, wave, beside, profile } = options
  const open = async <Resource extends AsyncDisposable>(opening: Promise<Resource>): Promise<Resource> => {
    const resource = await opening
    started.push(resource)
    return resource
  }
  const there = pathToFileURL(resolve(beside, 'bench/subjects/exchange-service.ts'))
  const contestant = async (name: Name): Promise<Contestant> => {
    progress(`start ${start}: the service starts ${name}, and ${exchanges} wallets connect`)
    const own = name === 'here' ? {} : { serviceFile: there }
    const stage = await openStage(open, { engine, atOnce, wave, publish: true, ...own })
    const connections = await stage.connect(exchanges)
    await subject.prepare?.(stage, connections)
    const { service } = stage.parts
    let beforeMs = 0
    const run = async (round: number) => {
      if (round === 0) beforeMs = await stage.cpuMs()
      if (round === 0 && profile !== '') await service.call('startProfile')
      const { cpuMs } = await stage.measured(() => subject.exchange(stage, connections))
      return { cpu_ms: cpuMs / exchanges }
    }
    const spentMs = async (): Promise<number> => {
      const spent = (await stage.cpuMs()) - beforeMs
      if (profile !== '') await service.call('stopProfile', `${profile}.${name}`)
      return spent
    }
    return { stage, run, spentMs }
  }
  // The service that starts first has the first round, too.
  const both = {} as Record<Name, Contestant>
  for (const name of start % 2 === 1 ? NAMES : NAMES.toReversed()) both[name] = await contestant(name)
  const contestants = Object.fromEntries(Object.entries(both).map(([name, { run }]) => [name, run]))
  const outcome = await interleave({ rounds, warmups: WARMUPS, progress, contestants })
  progress('what is over is forgotten')
  await new Promise((wake) => setTimeout(wake, FORGOTTEN_AFTER_MS))
  const each = async ({ spentMs }: Contestant) => (await spentMs()) / (exchanges * rounds)
  const [ownMs, otherMs] = [await each(both.here), await each(both.there)]
  await Promise.all(Object.values(both).map(({ stage }) => stage.checkWebhooks()))
  return {
    cpu_ratio_to_tree: outcome.ratio('here', 'there', 'cpu_ms'),
    cpu_ms: outcome.median('here', 'cpu_ms'),
    other_cpu_ms: outcome.median('there', 'cpu_ms'),
    ratio_lower_quarter: outcome.ratioSpread('here', 'there', 'cpu_ms')[0],
    ratio_upper_quarter: outcome.ratioSpread('here', 'there', 'cpu_ms')[1],
    with_rest_ms: ownMs,
    other_with_rest_ms: otherMs,
    with_rest_ratio: ownMs / otherMs,
  }
}

type Contestant = {
  readonly stage: ExchangeStage
  readonly run: (round: number) => Promise<{ readonly cpu_ms: number }>
  readonly spentMs: () => Promise<number>
}
