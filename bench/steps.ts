import { defineBenchmark } from './harness/benchmark.ts'
import { type ExchangeStage, openStage } from './subjects/exchange-stage.ts'
import { type Steps, StepCounter } from './subjects/step-counter.ts'

export const benchmark = defineBenchmark({
  about: 'What one issuance and one verification are made of: asks, batches, messages between threads',
  options: {
    exchanges: { type: 'number', default: 40, quick: 10, about: 'of each, counted; as many more are timed' },
    warm_up: { type: 'number', default: 300, quick: 20, about: 'of each, before any is counted' },
    at_once: { type: 'number', default: 1, about: 'exchanges under way at a time' },
  },
  bars: {},
  async run({ options, open, progress, table, note }) {
    const { exchanges, at_once: atOnce } = options
    const serviceFile = new URL('./subjects/counted-service.ts', import.meta.url)
    const stage = await openStage(open, { engine: 'auto', atOnce, publish: true, serviceFile })
    const counter = new StepCounter(stage)
    progress(`${exchanges} wallets connect`)
    const connections = await stage.connect(exchanges)
    progress('warming up')
    for (let done = 0; done < options.warm_up; done += exchanges) await both(stage, connections)
    progress('counting')
    const issue = await counter.of(exchanges, () => stage.issue(connections))
    const verify = await counter.of(exchanges, () => stage.verify(connections))
    const use = { issue: issue.threads, verify: verify.threads }
    const names = [...new Set([...Object.keys(use.issue), ...Object.keys(use.verify)])]
    table(
      'Threads, per exchange',
      names.map((thread) => ({
        thread,
        issue_ms: (use.issue[thread]?.cpuMs ?? 0).toFixed(2),
        issue_waits: (use.issue[thread]?.waits ?? 0).toFixed(1),
        verify_ms: (use.verify[thread]?.cpuMs ?? 0).toFixed(2),
        verify_waits: (use.verify[thread]?.waits ?? 0).toFixed(1),
      })),
    )
    note('Counts are of the whole service, webhooks and lists included, from quiet to quiet.')
    note(
      'Bytes are those of the clones of messages between threads; processor time is of as many exchanges more.',
    )
    return { ...named('issue', issue), ...named('verify', verify) }
  },
})

const both = async (stage: ExchangeStage, connections: readonly string[]): Promise<void> => {
  await stage.issue(connections)
  await stage.verify(connections)
}

const named = (name: string, { threads, ...steps }: Steps): Record<string, number> => {
  const cpuMs = Object.values(threads).reduce((sum, each) => sum + each.cpuMs, 0)
  const figures = {
    ...steps,
    events_per_batch: steps.events / steps.batches,
    main_thread_ms: threads['main']?.cpuMs ?? 0,
    cpu_ms: cpuMs,
  }
  return Object.fromEntries(Object.entries(figures).map(([figure, value]) => [`${name}_${figure}`, value]))
}
