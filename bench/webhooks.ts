import { defineBenchmark } from './harness/benchmark.ts'
import { interleave } from './harness/rounds.ts'
import { median, percentile } from './harness/statistics.ts'
import { startProcess } from '../tools/harness/module-process.ts'

type Subject = typeof import('./subjects/webhook-deliveries.ts')
type Bare = typeof import('./baselines/undici-posts.ts')
type Receivers = typeof import('./load/webhook-receivers.ts')

const BUSY = 'ten_00busy000000'
const SILENT = 'ten_80silent0000'
const NEIGHBOUR = 'ten_80neighbour0'

/** About what the body of a `credential.state_changed` has. */
const BODY = JSON.stringify({ id: 'evt_cre_00', data: 'x'.repeat(480) })

export const benchmark = defineBenchmark({
  about:
    'Webhooks of one endpoint beside bare POSTs, and those of an organisation beside one that never answers',
  options: {
    deliveries: { type: 'number', default: 4_000, quick: 250, about: 'events of one round' },
    rounds: { type: 'number', default: 5, quick: 2, about: 'rounds, of which the median counts' },
    answer_ms: {
      type: 'number',
      default: 20,
      about: 'how long the receiver takes to answer; 0: it answers at once',
    },
    at_once: { type: 'number', default: 16, about: 'POSTs at a time, which is the default of the service' },
    owed: { type: 'number', default: 10_000, quick: 500, about: 'deliveries to the one that never answers' },
    neighbours: { type: 'number', default: 300, quick: 40, about: 'events beside them, one after the other' },
  },
  bars: { rate_ratio: { atLeast: 0.4 }, neighbour_p99_ms: { atMost: 1_000 } },
  async run({ options, open, progress, note }) {
    const subject = await open(
      startProcess<Subject>(new URL('./subjects/webhook-deliveries.ts', import.meta.url), {
        callTimeoutMs: 1_800_000,
      }),
    )
    const bare = await open(startProcess<Bare>(new URL('./baselines/undici-posts.ts', import.meta.url)))
    const receivers = await open(
      startProcess<Receivers>(new URL('./load/webhook-receivers.ts', import.meta.url)),
    )
    const { value: url } = await receivers.call('answering', options.answer_ms)
    const { value: never } = await receivers.call('silent')
    const { value: quick } = await receivers.call('answering', 0)
    await subject.call('start')
    await subject.call('setEndpoint', BUSY, url)
    await subject.call('setEndpoint', SILENT, never)
    await subject.call('setEndpoint', NEIGHBOUR, quick)
    const { deliveries, at_once: atOnce } = options
    const outcome = await interleave({
      rounds: options.rounds,
      progress,
      contestants: {
        webhooks: async () => {
          const { value, cpuMs } = await subject.call('deliver', BUSY, deliveries)
          return { per_s: value.perS, cpu_us: (cpuMs * 1_000) / deliveries }
        },
        posts: async () => {
          const { value, cpuMs } = await bare.call('run', url, BODY, deliveries, atOnce)
          return { per_s: value.perS, cpu_us: (cpuMs * 1_000) / deliveries }
        },
      },
    })
    // The warm-up has delivered as many as a round.
    const repeated = deliveries * (options.rounds + 1)
    progress(`${repeated} deliveries are sent again by one order`)
    const { value: again } = await subject.call('resend', BUSY, repeated)
    progress(`${options.owed} deliveries are owed to an endpoint that never answers`)
    const { value: alone } = await subject.call('oneByOne', NEIGHBOUR, options.neighbours, 10)
    await subject.call('owe', SILENT, options.owed)
    const { value: beside } = await subject.call('oneByOne', NEIGHBOUR, options.neighbours, 10)
    note(
      `The receiver answers after ${options.answer_ms} ms, ${atOnce} at a time: what a backend does. With 0 both`,
    )
    note(
      'are bound by the processor. A delivery is an event that was published, its record in the journal before',
    )
    note('and after the POST, its row in the lists, and a signature; a bare POST is none of these.')
    return {
      rate_ratio: outcome.ratio('webhooks', 'posts', 'per_s'),
      deliveries_per_s: outcome.median('webhooks', 'per_s'),
      posts_per_s: outcome.median('posts', 'per_s'),
      resent_per_s: again.perS,
      cpu_us_per_delivery: outcome.median('webhooks', 'cpu_us'),
      cpu_us_per_post: outcome.median('posts', 'cpu_us'),
      neighbour_p50_ms: median(beside),
      neighbour_p99_ms: percentile(beside, 99),
      neighbour_alone_p50_ms: median(alone),
      neighbour_alone_p99_ms: percentile(alone, 99),
    }
  },
})
