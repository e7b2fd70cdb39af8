import { defineBenchmark, type TableRow } from './harness/benchmark.ts'
import { usageOf } from './harness/process-usage.ts'
import { type ExchangeStage, openStage } from './subjects/exchange-stage.ts'

type Point = {
  readonly flows: number
  readonly rssMb: number
  readonly heapMb: number
  readonly externalMb: number
}

export const benchmark = defineBenchmark({
  about:
    'Memory of the service over many flows, each a new holder who connects, is issued to and is verified',
  options: {
    flows: { type: 'number', default: 5_000, quick: 300, about: 'flows in all' },
    points: { type: 'number', default: 10, quick: 6, about: 'times that the memory is looked at' },
    at_once: { type: 'number', default: 16, about: 'flows under way at a time' },
    kept_seconds: {
      type: 'number',
      default: 60,
      quick: 5,
      about: 'after which an actor that is not asked, or the key of a record, leaves memory',
    },
    engine: {
      type: 'string',
      default: 'auto',
      choices: ['auto', 'native', 'library', 'compare'],
      about: 'signature engine of the service',
    },
  },
  bars: { rss_growth_ratio: { atMost: 1.1 }, heap_growth_ratio: { atMost: 1.1 } },
  async run({ options, open, progress, table, note }) {
    const { engine, at_once: atOnce } = options
    const environment = {
      VOUCHSAFE_ACTOR_IDLE_SECONDS: String(options.kept_seconds),
      VOUCHSAFE_VAULT_CACHE_SECONDS: String(options.kept_seconds),
    }
    const nodeArgs = ['--expose-gc']
    const stage = await openStage(open, { engine, atOnce, publish: true, nodeArgs, environment })
    const points: Point[] = []
    const [startedMs, startCpuMs] = [performance.now(), await stage.cpuMs()]
    let events = 0
    while (points.length < options.points) {
      const target = Math.round((options.flows * (points.length + 1)) / options.points)
      for (let done = points.at(-1)?.flows ?? 0; done < target; ) {
        const some = Math.min(atOnce * 4, target - done)
        await flow(stage, some)
        done += some
      }
      events += await stage.checkWebhooks()
      points.push({ flows: target, ...(await memory(stage)) })
      progress(`${target} flows: RSS ${points.at(-1)?.rssMb.toFixed(0)} MB`)
    }
    const seconds = (performance.now() - startedMs) / 1_000
    table('Memory of the service, garbage collected', points.map(rounded))
    note('growth: the last point beside that at two fifths, when caches and residents have filled.')
    note('What is kept for a time is kept for a minute, not for the five and ten of production: what still')
    note('grows after two fifths would never stop growing.')
    return {
      rss_growth_ratio: growth(points, ({ rssMb }) => rssMb),
      heap_growth_ratio: growth(points, ({ heapMb }) => heapMb),
      rss_last_mb: points.at(-1)?.rssMb ?? 0,
      heap_last_mb: points.at(-1)?.heapMb ?? 0,
      flows_per_s: options.flows / seconds,
      cpu_ms_per_flow: ((await stage.cpuMs()) - startCpuMs) / options.flows,
      webhooks: events,
    }
  },
})

const flow = async (stage: ExchangeStage, count: number): Promise<void> => {
  const connections = await stage.connect(count)
  await stage.issue(connections)
  await stage.verify(connections)
  await stage.parts.wallets.call('forget')
}

const memory = async ({ parts }: ExchangeStage) => {
  const { heapMb, externalMb } = (await parts.service.call('settledMemory')).value
  return { rssMb: usageOf(parts.service.pid).rssBytes / 2 ** 20, heapMb, externalMb }
}

const growth = (points: readonly Point[], of: (point: Point) => number): number => {
  const [early, last] = [points[Math.ceil(points.length * 0.4) - 1], points.at(-1)]
  return early && last ? of(last) / of(early) : Number.NaN
}

const rounded = ({ flows, rssMb, heapMb, externalMb }: Point): TableRow => ({
  flows,
  rss_mb: Math.round(rssMb),
  heap_mb: Math.round(heapMb),
  external_mb: Math.round(externalMb),
})
