import { startProcess } from '../tools/harness/module-process.ts'
import { defineBenchmark } from './harness/benchmark.ts'
import { interleave } from './harness/rounds.ts'
import { values } from './subjects/exchange-flows.ts'
import { type ExchangeStage, openStage } from './subjects/exchange-stage.ts'

type Offers = typeof import('./load/offers.ts')

/** Until then V8 is still compiling the service. */
const WARMUPS = 4
const IDLE_SECONDS = 5
/** What the service puts off while wallets take their offers (rows of lists, copies of the log) is behind after that. */
const PUT_OFF_MS = 8_000
const NEIGHBOUR_PER_S = 20
const NEIGHBOUR_MS = 4_000
const JOBS_BESIDE = 4

export const benchmark = defineBenchmark({
  about: 'Processor time of an offer in a request for many beside one in a request of its own',
  options: {
    offers: {
      type: 'number',
      default: 1_000,
      quick: 200,
      about: 'offers of a round, over a connection each',
    },
    per_request: { type: 'number', default: 1_000, about: 'offers in one request for many' },
    at_once: { type: 'number', default: 32, about: 'requests for one offer under way at a time' },
    rounds: { type: 'number', default: 7, quick: 2, about: 'rounds, of which the median counts' },
    profile: { type: 'string', default: '', about: 'file for a processor profile of the last round of many' },
  },
  bars: { cpu_ratio_to_single: { atMost: 0.6 } },
  async run({ options, open, progress, note }) {
    const { offers: count, per_request: perRequest, at_once: atOnce, rounds, profile } = options
    progress('the service starts and publishes its definition')
    const environment = { VOUCHSAFE_OFFER_ITEMS_PER_MINUTE_MAX: '10000000' }
    const stage = await openStage(open, { engine: 'auto', atOnce, publish: true, environment })
    const [definitionId = ''] = stage.definitionIds
    const { url, key } = stage.backend
    const backend = await open(startProcess<Offers>(new URL('./load/offers.ts', import.meta.url)))
    await backend.call('meet', url, key)
    progress(`${count} wallets connect`)
    const connections = await stage.connect(count)
    await stage.parts.wallets.call('leaveOffers')
    await stage.parts.service.call('hearConnectionsOnly')
    const definition = { definitionId, attributes: values() }
    const alone = async () => void (await backend.call('alone', connections, definition, atOnce))
    const together = async () => void (await backend.call('together', connections, definition, perRequest))
    const per = ({ madeMs, allMs, wallMs }: Measured) => ({
      cpu_ms: madeMs / count,
      delivered_cpu_ms: allMs / count,
      per_s: count / (wallMs / 1_000),
    })
    const outcome = await interleave({
      rounds,
      warmups: WARMUPS,
      progress,
      contestants: {
        single: async () => per(await whileAsleep(stage, alone)),
        bulk: async (round: number) => {
          const isSampled = profile !== '' && round === rounds - 1
          return per(await whileAsleep(stage, together, isSampled ? profile : null))
        },
      },
    })
    progress('requests for one offer, alone and beside jobs')
    const calm = await stage.offer(connections, NEIGHBOUR_PER_S, NEIGHBOUR_MS)
    const jobs = (async () => {
      for (let job = 0; job < JOBS_BESIDE; job++) await together()
    })()
    const beside = await stage.offer(connections, NEIGHBOUR_PER_S, NEIGHBOUR_MS)
    await jobs
    note(
      'cpu_ms: the whole service from the first request to the last offer-sent, per offer, until it is quiet:',
    )
    note(
      'request, claim of the key, exchange, lists and events. The wallets are asleep meanwhile, and no webhook',
    )
    note(
      'is wanted of offers, so that neither side pays for what it may put off. delivered: until the wallets',
    )
    note('have every offer as well, which costs both sides the same. Every offer has a key of its own.')
    return {
      cpu_ratio_to_single: outcome.ratio('bulk', 'single', 'cpu_ms'),
      delivered_cpu_ratio_to_single: outcome.ratio('bulk', 'single', 'delivered_cpu_ms'),
      bulk_cpu_ms: outcome.median('bulk', 'cpu_ms'),
      single_cpu_ms: outcome.median('single', 'cpu_ms'),
      bulk_delivered_cpu_ms: outcome.median('bulk', 'delivered_cpu_ms'),
      single_delivered_cpu_ms: outcome.median('single', 'delivered_cpu_ms'),
      bulk_per_s: outcome.median('bulk', 'per_s'),
      single_per_s: outcome.median('single', 'per_s'),
      single_p99_ms: calm.p99Ms,
      single_beside_jobs_p99_ms: beside.p99Ms,
      idle_cpu_ms_per_s: await stage.idleMsPerS(IDLE_SECONDS),
    }
  },
})

type Measured = { readonly madeMs: number; readonly allMs: number; readonly wallMs: number }

/** No wallet takes a message until the work is done and the service quiet, as phones that sleep; then all of them do. */
const whileAsleep = async (
  stage: ExchangeStage,
  work: () => Promise<void>,
  profile: string | null = null,
): Promise<Measured> => {
  const { wallets } = stage.parts
  // Otherwise what the round before has put off would count for this one, in some rounds and not in others.
  await new Promise((resolve) => setTimeout(resolve, PUT_OFF_MS))
  await stage.quiet()
  wallets.freeze()
  try {
    const beforeMs = await stage.cpuMs()
    const { cpuMs: madeMs, wallMs } = await stage.measured(work, profile)
    wallets.thaw()
    await stage.quiet()
    return { madeMs, allMs: (await stage.cpuMs()) - beforeMs, wallMs }
  } finally {
    wallets.thaw()
  }
}
