import { defineBenchmark } from './harness/benchmark.ts'
import { usageOf } from './harness/process-usage.ts'
import { median } from './harness/statistics.ts'
import { openStage } from './subjects/exchange-stage.ts'

const IDLE_SECONDS = 30
/** What is over is forgotten some twenty seconds later, which is work of its own. */
const SETTLE_SECONDS = 75

export const benchmark = defineBenchmark({
  about: 'Processor time of the first issuances after a start beside those of a warm service, and at rest',
  options: {
    first: {
      type: 'number',
      default: 100,
      about: 'issuances right after the start, and of each round when warm',
    },
    warm: { type: 'number', default: 10_000, quick: 1_500, about: 'issuances after which it counts as warm' },
    rounds: { type: 'number', default: 5, quick: 3, about: 'rounds when warm, of which the median counts' },
    at_once: { type: 'number', default: 4, about: 'issuances under way at a time' },
    wallets: { type: 'number', default: 4, about: 'wallets that connect before, and take turns' },
    node: {
      type: 'string',
      default: '',
      about: 'more arguments for the Node of the service, parted by spaces',
    },
  },
  bars: { first_to_warm_ratio: { atMost: 1.5 }, idle_cpu_ms_per_s: { atMost: 3 } },
  async run({ options, open, progress, note }) {
    const nodeArgs = options.node.split(' ').filter((each) => each !== '')
    const stage = await openStage(open, {
      engine: 'auto',
      atOnce: options.at_once,
      publish: true,
      prepared: true,
      nodeArgs,
    })
    const startCpuMs = await stage.cpuMs()
    const wallets = await stage.connect(options.wallets)
    const round = Array.from({ length: options.first }, (_, index) => wallets[index % wallets.length] ?? '')
    const costMs = async (): Promise<number> =>
      (await stage.measured(() => stage.issue(round))).cpuMs / options.first
    const first = await costMs()
    progress(`the first ${options.first} took ${first.toFixed(1)} ms each`)
    const second = await costMs()
    for (let done = 2 * options.first; done < options.warm; done += options.first) await stage.issue(round)
    const warm: number[] = []
    while (warm.length < options.rounds) warm.push(await costMs())
    await stage.checkWebhooks()
    const { rssBytes } = usageOf(stage.parts.service.pid)
    progress('coming to rest')
    await new Promise((resolve) => setTimeout(resolve, SETTLE_SECONDS * 1_000))
    note('Wallets answer with what they have prepared; the service does all that it does for any other.')
    return {
      first_to_warm_ratio: first / median(warm),
      first_cpu_ms: first,
      second_cpu_ms: second,
      warm_cpu_ms: median(warm),
      start_cpu_ms: startCpuMs,
      rss_mb: rssBytes / 2 ** 20,
      idle_cpu_ms_per_s: await stage.idleMsPerS(IDLE_SECONDS),
    }
  },
})
