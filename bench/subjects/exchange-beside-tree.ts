import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BenchmarkContext, Figures } from '../harness/benchmark.ts'
import type { OptionValues } from '../harness/options.ts'
import { interleave } from '../harness/rounds.ts'
import type { Subject } from './exchange-beside-bare.ts'
import type { exchangeOptions } from './exchange-options.ts'
import { type ExchangeStage, openStage } from './exchange-stage.ts'

/**
 * After ten rounds V8 still compiles for a tenth of the time of an exchange, the more the larger a tree is; what one
 * exchange takes is to be compared, and not what is compiled once.
 */
const WARMUPS = 30

/** What is over is forgotten by then, which belongs to the exchanges too. */
const FORGOTTEN_AFTER_MS = 45_000

/**
 * Complete exchanges of this service, in turn with those of another tree's: each has wallets and a tenant of its own,
 * which are this tree's, and both run in every minute of the benchmark, whatever else the machine is doing in it.
 */
export const besideTree = async (
  { options, open, progress, note }: BenchmarkContext<OptionValues<typeof exchangeOptions>>,
  subject: Subject,
): Promise<Figures> => {
  const { engine, exchanges, rounds, at_once: atOnce, wave, beside, profile } = options
  const serviceFile = pathToFileURL(resolve(beside, 'bench/subjects/exchange-service.ts'))
  const contestant = async (name: string, own: { readonly serviceFile?: URL }) => {
    progress(`the service starts ${name}, and ${exchanges} wallets connect`)
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
  const here = await contestant('here', {})
  const there = await contestant('there', { serviceFile })
  const contestants = { here: here.run, there: there.run }
  const outcome = await interleave({ rounds, warmups: WARMUPS, progress, contestants })
  progress('what is over is forgotten')
  await new Promise((wake) => setTimeout(wake, FORGOTTEN_AFTER_MS))
  const each = async ({ spentMs }: typeof here) => (await spentMs()) / (exchanges * rounds)
  const [ownMs, otherMs] = [await each(here), await each(there)]
  await checkAll(here.stage, there.stage)
  note('cpu_ms: processor time of the whole service per exchange, from the API call to quiet.')
  note(
    'with_rest_ms: of everything from the first counted round to 45 s after the last one, idle time included.',
  )
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

const checkAll = async (...stages: readonly ExchangeStage[]): Promise<void> => {
  for (const stage of stages) await stage.checkWebhooks()
}
