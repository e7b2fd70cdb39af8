import { defineBenchmark } from './harness/benchmark.ts'
import { startProcess } from '../tools/harness/module-process.ts'
import { interleave } from './harness/rounds.ts'
import { openStage } from './subjects/exchange-stage.ts'
import { Handshakes } from './subjects/handshakes.ts'

type Credo = typeof import('./subjects/credo-agent.ts')

const IDLE_SECONDS = 5
const MANY = '1000000'

/** All wallets come from one network at once, which is not what is measured here. */
const unlimited = {
  VOUCHSAFE_HANDSHAKES_OF_NETWORK_PER_MINUTE: MANY,
  VOUCHSAFE_HANDSHAKES_OF_INVITATION_PER_MINUTE: MANY,
  VOUCHSAFE_HANDSHAKES_UNDER_WAY_MAX: '10000',
}

export const benchmark = defineBenchmark({
  about:
    'Processor time of a handshake beside a Credo agent in the place of the service, and beside itself after many',
  options: {
    handshakes: { type: 'number', default: 200, quick: 50, about: 'handshakes of a round' },
    rounds: { type: 'number', default: 5, quick: 2, about: 'rounds, of which the median counts' },
    at_once: { type: 'number', default: 16, about: 'handshakes under way at a time' },
    warm_uses: {
      type: 'number',
      default: 2_000,
      quick: 100,
      about: 'of these uses, the ones before anything is measured, while V8 still compiles the service',
    },
    uses: {
      type: 'number',
      default: 100_000,
      quick: 1_000,
      about: 'connections, all by one invitation for many, behind which the cost is measured again',
    },
  },
  bars: { cpu_ratio_to_credo: { atMost: 0.1 }, cost_growth: { atMost: 1.3 } },
  async run({ options, open, progress, note }) {
    const { handshakes: count, at_once: atOnce, rounds, uses, warm_uses: warmUses } = options
    const stage = await openStage(open, { engine: 'auto', atOnce, publish: false, environment: unlimited })
    const credo = await open(startProcess<Credo>(new URL('./subjects/credo-agent.ts', import.meta.url)))
    await credo.call('start', stage.ledger.namespace, stage.ledger.genesis)
    const handshakes = await Handshakes.of(stage, atOnce)
    const own = {
      one: () => handshakes.measured(count, 'one'),
      many: () => handshakes.measured(count, 'many'),
    }
    await handshakes.use(warmUses, progress)
    let total = 0
    const outcome = await interleave({
      rounds,
      progress,
      contestants: {
        ...own,
        credo: async () => {
          total += count
          const [before, startedMs] = [await credo.usage(), performance.now()]
          const urls = (await credo.call('invite', count)).value
          await stage.parts.wallets.call('connect', urls, atOnce)
          await credo.call('connected', total)
          const wallMs = performance.now() - startedMs
          await stage.parts.wallets.call('forget')
          const { cpuMs } = await credo.usage()
          return { cpu_ms: (cpuMs - before.cpuMs) / count, per_s: count / (wallMs / 1_000) }
        },
      },
    })
    const idle = await stage.idleMsPerS(IDLE_SECONDS)
    await handshakes.use(uses, progress)
    const later = await interleave({ rounds, progress, contestants: own })
    await handshakes.check()
    note(
      'A handshake begins with the making of its invitation (one) or with the request of the wallet (many) and',
    )
    note('ends with the connection completed; the service also keeps it durably and delivers three signed')
    note(
      'webhooks. The same wallets answer both. Behind the uses there are as many connections, all of them by',
    )
    note('the one invitation for many; the growth is the larger one of the two.')
    const grown = (by: 'one' | 'many'): number => later.median(by, 'cpu_ms') / outcome.median(by, 'cpu_ms')
    return {
      cpu_ratio_to_credo: outcome.ratio('one', 'credo', 'cpu_ms'),
      cost_growth: Math.max(grown('one'), grown('many')),
      cost_growth_of_one: grown('one'),
      cost_growth_of_many: grown('many'),
      service_cpu_ms: outcome.median('one', 'cpu_ms'),
      service_later_cpu_ms: later.median('one', 'cpu_ms'),
      service_many_cpu_ms: outcome.median('many', 'cpu_ms'),
      service_many_later_cpu_ms: later.median('many', 'cpu_ms'),
      credo_cpu_ms: outcome.median('credo', 'cpu_ms'),
      idle_cpu_ms_per_s: idle,
      service_per_s: outcome.median('one', 'per_s'),
      credo_per_s: outcome.median('credo', 'per_s'),
    }
  },
})
