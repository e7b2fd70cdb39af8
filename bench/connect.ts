import { defineBenchmark } from './harness/benchmark.ts'
import { startProcess } from '../tools/harness/module-process.ts'
import { interleave } from './harness/rounds.ts'
import { openStage } from './subjects/exchange-stage.ts'

type Credo = typeof import('./subjects/credo-agent.ts')

const IDLE_SECONDS = 5

export const benchmark = defineBenchmark({
  about: 'Processor time of a handshake beside a Credo agent in the place of the service',
  options: {
    handshakes: { type: 'number', default: 200, quick: 50, about: 'handshakes of a round' },
    rounds: { type: 'number', default: 5, quick: 2, about: 'rounds, of which the median counts' },
    at_once: { type: 'number', default: 16, about: 'handshakes under way at a time' },
  },
  bars: { cpu_ratio_to_credo: { atMost: 0.2 } },
  async run({ options, open, progress, note }) {
    const { handshakes, at_once: atOnce } = options
    const stage = await openStage(open, { engine: 'auto', atOnce, publish: false })
    const credo = await open(startProcess<Credo>(new URL('./subjects/credo-agent.ts', import.meta.url)))
    await credo.call('start', stage.ledger.namespace, stage.ledger.genesis)
    let total = 0
    const outcome = await interleave({
      rounds: options.rounds,
      progress,
      contestants: {
        service: async () => {
          const spent = await stage.measured(async () => void (await stage.connect(handshakes)))
          await stage.parts.wallets.call('forget')
          return { cpu_ms: spent.cpuMs / handshakes, per_s: handshakes / (spent.wallMs / 1_000) }
        },
        credo: async () => {
          total += handshakes
          const [before, startedMs] = [await credo.usage(), performance.now()]
          const urls = (await credo.call('invite', handshakes)).value
          await stage.parts.wallets.call('connect', urls, atOnce)
          await credo.call('connected', total)
          const wallMs = performance.now() - startedMs
          await stage.parts.wallets.call('forget')
          const { cpuMs } = await credo.usage()
          return { cpu_ms: (cpuMs - before.cpuMs) / handshakes, per_s: handshakes / (wallMs / 1_000) }
        },
      },
    })
    const idle = await stage.idleMsPerS(IDLE_SECONDS)
    await stage.checkWebhooks()
    note('A handshake begins with the making of its invitation and ends with the connection completed; the')
    note('service also keeps it durably and delivers three signed webhooks. The same wallets answer both.')
    return {
      cpu_ratio_to_credo: outcome.ratio('service', 'credo', 'cpu_ms'),
      service_cpu_ms: outcome.median('service', 'cpu_ms'),
      credo_cpu_ms: outcome.median('credo', 'cpu_ms'),
      idle_cpu_ms_per_s: idle,
      service_per_s: outcome.median('service', 'per_s'),
      credo_per_s: outcome.median('credo', 'per_s'),
    }
  },
})
