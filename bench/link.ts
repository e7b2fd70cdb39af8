import { defineBenchmark } from './harness/benchmark.ts'
import { type ModuleProcess, startProcess } from '../tools/harness/module-process.ts'
import { interleave } from './harness/rounds.ts'

type Node = typeof import('./subjects/link-node.ts')

const CONCURRENCIES = [1, 16, 64, 256]

export const benchmark = defineBenchmark({
  about: 'A request to another node and its answer, beside a call of the same function in this process',
  options: {
    rounds: { type: 'number', default: 5, quick: 2, about: 'rounds, of which the median counts' },
    seconds: { type: 'number', default: 2, quick: 0.5, about: 'length of a round' },
    bytes: { type: 'number', default: 1_024, about: 'of each request, and of each answer' },
  },
  bars: { link_cpu_us_at_64: { atMost: 60 } },
  async run({ options: { rounds, seconds, bytes }, open, progress, table, note }) {
    const file = new URL('./subjects/link-node.ts', import.meta.url)
    const asking = await open(startProcess<Node>(file))
    const serving = await open(startProcess<Node>(file))
    const [here, there] = [await asking.call('start', 'a'), await serving.call('start', 'b')]
    await Promise.all([
      asking.call('connect', { node: 'b', address: there.value }),
      serving.call('connect', { node: 'a', address: here.value }),
    ])
    const figures: Record<string, number> = {}
    const rows = []
    for (const concurrency of CONCURRENCIES) {
      const measure = (to: string | null) => measured(asking, serving, to, concurrency, seconds, bytes)
      const outcome = await interleave({
        rounds,
        progress: (text) => progress(`${concurrency} at once, ${text}`),
        contestants: { link: () => measure('b'), local: () => measure(null) },
      })
      const row = {
        requests_per_s: outcome.median('link', 'per_s'),
        link_cpu_us: outcome.median('link', 'cpu_us'),
        local_cpu_us: outcome.median('local', 'cpu_us'),
        p50_ms: outcome.median('link', 'p50_ms'),
        p99_ms: outcome.median('link', 'p99_ms'),
      }
      rows.push({ 'at once': concurrency, ...row })
      for (const [name, value] of Object.entries(row)) figures[`${name}_at_${concurrency}`] = value
    }
    table(`Requests of ${bytes} bytes to another process, and answers of as many`, rows)
    note('Processor time is that of both processes together, encryption included.')
    return figures
  },
})

const measured = async (
  asking: ModuleProcess<Node>,
  serving: ModuleProcess<Node>,
  to: string | null,
  concurrency: number,
  seconds: number,
  bytes: number,
) => {
  const before = await serving.usage()
  // Calls of a function alone would fill seconds with nothing but promises.
  const durationMs = seconds * (to === null ? 100 : 1_000)
  const { value, cpuMs } = await asking.call('run', to, concurrency, durationMs, bytes)
  const servingMs = to === null ? 0 : (await serving.usage()).cpuMs - before.cpuMs
  return {
    per_s: value.perS,
    cpu_us: ((cpuMs + servingMs) * 1_000) / Math.max(1, value.answered),
    p50_ms: value.latency.p50_ms,
    p99_ms: value.latency.p99_ms,
  }
}
