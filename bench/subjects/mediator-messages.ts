import type { BenchmarkContext, Figures } from '../harness/benchmark.ts'
import { interleave } from '../harness/rounds.ts'
import type { ExchangeStage } from './exchange-stage.ts'
import { credoContestant, serviceContestant } from './mediator-contestants.ts'

export type MessageOptions = {
  readonly messages: number
  readonly credo_messages: number
  readonly wallets: number
  readonly rounds: number
  readonly at_once: number
}

const modes = ['implicit', 'pickup', 'pushed'] as const

/** Messages through the service and through Credo in each mode, in turn. */
export const measureMessages = async (
  { open, progress, table }: Pick<BenchmarkContext<unknown>, 'open' | 'progress' | 'table'>,
  stage: ExchangeStage,
  options: MessageOptions,
): Promise<Figures> => {
  const { wallets, at_once: atOnce, rounds } = options
  const own = { messages: options.messages, atOnce, wallets }
  const credos = { messages: options.credo_messages, atOnce, wallets }
  progress(`${wallets} wallets are registered with each mediator`)
  const outcome = await interleave({
    rounds,
    progress,
    contestants: {
      service_implicit: await serviceContestant(open, stage, 'implicit', own),
      credo_implicit: await credoContestant(open, 'implicit', credos),
      service_pickup: await serviceContestant(open, stage, 'pickup', own),
      credo_pickup: await credoContestant(open, 'pickup', credos),
      service_pushed: await serviceContestant(open, stage, 'pushed', own),
      credo_pushed: await credoContestant(open, 'pushed', credos),
    },
  })
  const rows = modes.map((mode) => ({
    mode,
    service: outcome.median(`service_${mode}`, 'cpu_ms'),
    credo: outcome.median(`credo_${mode}`, 'cpu_ms'),
    ratio: outcome.ratio(`service_${mode}`, `credo_${mode}`, 'cpu_ms'),
    per_s: outcome.median(`service_${mode}`, 'per_s'),
  }))
  table('Processor time of a message, ms', rows)
  const barred = rows.filter(({ mode }) => mode !== 'pushed').map(({ ratio }) => ratio)
  const figures = rows.flatMap(({ mode, service, credo, ratio, per_s }) => [
    [`cpu_ratio_to_credo_${mode}`, ratio] as const,
    [`service_${mode}_cpu_ms`, service] as const,
    [`credo_${mode}_cpu_ms`, credo] as const,
    [`service_${mode}_per_s`, per_s] as const,
  ])
  return { cpu_ratio_to_credo: Math.max(...barred), ...Object.fromEntries(figures) }
}
