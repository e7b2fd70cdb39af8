import { defineBenchmark } from './harness/benchmark.ts'
import { startProcess } from '../tools/harness/module-process.ts'
import { median } from './harness/statistics.ts'

type Subject = typeof import('./subjects/vault.ts')

type Steps = Awaited<ReturnType<Subject['steps']>>
type Measured = Awaited<ReturnType<Subject['createAndSeal']>> & { readonly cpuUs: number }

const CONCURRENCIES = [1, 64, 1_024]

export const benchmark = defineBenchmark({
  about: 'What the vault adds to a new record (durable key, sealed first event), and each step of sealing',
  options: {
    rounds: { type: 'number', default: 5, quick: 2, about: 'rounds, of which the median counts' },
    seconds: { type: 'number', default: 2, quick: 0.5, about: 'length of a round' },
    steps: { type: 'number', default: 100_000, quick: 20_000, about: 'repetitions of each step of sealing' },
    erasures: { type: 'number', default: 500, quick: 100, about: 'records that are erased in a round' },
  },
  bars: { encode_ratio: { atMost: 5 }, decode_ratio: { atMost: 5 } },
  async run({ options, open, progress, table }) {
    const subject = await open(startProcess<Subject>(new URL('./subjects/vault.ts', import.meta.url)))
    const rounds = Array.from({ length: options.rounds }, (_, index) => index + 1)
    const figures: Record<string, number> = {}
    const rows = []
    for (const concurrency of CONCURRENCIES) {
      const measured: Measured[] = []
      for (const round of rounds) {
        progress(`${concurrency} at once, round ${round}`)
        const { value, cpuMs } = await subject.call('createAndSeal', concurrency, options.seconds * 1_000)
        measured.push({ ...value, cpuUs: (cpuMs * 1_000) / value.latency.count })
      }
      const of = (pick: (one: Measured) => number): number => median(measured.map(pick))
      const row = {
        creates_per_s: of(({ perS }) => perS),
        p50_ms: of(({ latency }) => latency.p50_ms),
        p99_ms: of(({ latency }) => latency.p99_ms),
        cpu_us: of(({ cpuUs }) => cpuUs),
      }
      rows.push({ 'at once': concurrency, ...row })
      for (const [name, value] of Object.entries(row)) figures[`${name}_at_${concurrency}`] = value
    }
    table('A new record: key durable, first event validated and sealed', rows)
    for (const concurrency of [1, 64]) {
      const measured: number[] = []
      for (const round of rounds) {
        progress(`erasures, ${concurrency} at once, round ${round}`)
        measured.push((await subject.call('erase', concurrency, options.erasures)).value.perS)
      }
      figures[`erasures_per_s_at_${concurrency}`] = median(measured)
    }
    progress('steps')
    const steps: Steps[] = []
    for (const _ of rounds) steps.push((await subject.call('steps', options.steps)).value)
    for (const name of Object.keys(steps[0] ?? {}) as (keyof Steps)[]) {
      figures[name] = median(steps.map((step) => step[name]))
    }
    figures['encode_ratio'] = median(steps.map((step) => step.encode_bare_us / step.json_stringify_us))
    figures['decode_ratio'] = median(steps.map((step) => step.decode_bare_us / step.json_parse_us))
    return figures
  },
})
