import { startCassandra } from '../tools/infra/cassandra.ts'
import { type BenchmarkContext, defineBenchmark, type Figures } from './harness/benchmark.ts'
import { startProcess } from './harness/process.ts'
import { interleave } from './harness/rounds.ts'

type Subject = typeof import('./subjects/journal-engine.ts')
type Inserts = typeof import('./baselines/sqlite-inserts.ts')
type Conditional = typeof import('./baselines/cassandra-inserts.ts')

const EVENT =
  '{"v":1,"d":{"type":"Deposited","amount":1,"note":"the quick brown fox jumps over the lazy dog and the lazy dog does not mind"}}'
/** Ids and sequence beside the event in a batch. */
const ENTRY_BYTES = EVENT.length + 90

const options = {
  engine: {
    type: 'string',
    choices: ['sqlite', 'cassandra'],
    default: 'sqlite',
    about: 'engine of the journal',
  },
  rounds: { type: 'number', default: 7, quick: 3, about: 'rounds, of which the median counts' },
  seconds: { type: 'number', default: 3, quick: 1, about: 'length of a round' },
} as const

type Context = BenchmarkContext<{
  readonly engine: 'sqlite' | 'cassandra'
  readonly rounds: number
  readonly seconds: number
}>

export const benchmark = defineBenchmark({
  about:
    'Appends to an engine of the journal, without protocol and host, beside bare inserts of the same bytes',
  options,
  bars: ({ engine }) =>
    engine === 'sqlite' ? { appends_ratio_1024: { atLeast: 0.5 } } : { batches_ratio_256: { atLeast: 0.8 } },
  run: (context) => (context.options.engine === 'sqlite' ? onSqlite(context) : onCassandra(context)),
})

async function onSqlite({ options: { rounds, seconds }, open, progress, table, note }: Context) {
  const subject = await open(startSubject())
  const baseline = await open(
    startProcess<Inserts>(new URL('./baselines/sqlite-inserts.ts', import.meta.url)),
  )
  await subject.call('start', null)
  const figures: Record<string, number> = {}
  const rows = []
  for (const callers of [1, 64, 1_024, 16_384]) {
    const outcome = await interleave({
      rounds,
      progress: (text) => progress(`${callers} at once, ${text}`),
      contestants: {
        appends: async () => {
          const { value, cpuMs } = await subject.call('run', callers, seconds * 1_000, EVENT)
          return { per_s: value.perS, cpu_us: (cpuMs * 1_000) / value.rows }
        },
        inserts: async () => {
          const { value, cpuMs } = await baseline.call('run', callers, seconds * 1_000, EVENT)
          return { per_s: value.perS, cpu_us: (cpuMs * 1_000) / value.rows }
        },
      },
    })
    figures[`appends_ratio_${callers}`] = outcome.ratio('appends', 'inserts', 'per_s')
    rows.push({
      'at once': callers,
      events_per_s: outcome.median('appends', 'per_s'),
      inserts_per_s: outcome.median('inserts', 'per_s'),
      ratio: outcome.ratio('appends', 'inserts', 'per_s'),
      event_cpu_us: outcome.median('appends', 'cpu_us'),
      insert_cpu_us: outcome.median('inserts', 'cpu_us'),
    })
  }
  await subject.call('stop')
  table('Durable events of the engine (256 shards) beside bare group-committed inserts', rows)
  note('The engine also keeps the log, the chains of the actors and their names; the bare insert is one row.')
  return figures
}

async function onCassandra({
  options: { rounds, seconds },
  open,
  progress,
  table,
}: Context): Promise<Figures> {
  progress('starting one Cassandra with commitlog_sync: batch')
  const { contactPoints, localDatacenter } = await open(
    startCassandra({ commitLogSync: 'batch', heapMegabytes: 1_024 }),
  )
  const subject = await open(startSubject())
  const baseline = await open(
    startProcess<Conditional>(new URL('./baselines/cassandra-inserts.ts', import.meta.url)),
  )
  await baseline.call('start', contactPoints, localDatacenter)
  await subject.call('start', {
    engine: 'cassandra',
    cassandra: {
      contactPoints,
      localDatacenter,
      keyspace: 'bench_engine',
      replicationFactor: 1,
      consistency: 'quorum',
      credentials: null,
      requestTimeoutMs: 10_000,
    },
  })
  const figures: Record<string, number> = {}
  const rows = []
  for (const writers of [16, 64, 256]) {
    const outcome = await interleave({
      rounds,
      progress: (text) => progress(`${writers} writers, ${text}`),
      contestants: {
        appends: async () => ({
          per_s: (await subject.call('run', writers, seconds * 1_000, EVENT)).value.batchesPerS,
        }),
        inserts: async () => ({
          per_s: (await baseline.call('run', writers, seconds * 1_000, ENTRY_BYTES)).value.perS,
        }),
      },
    })
    figures[`batches_ratio_${writers}`] = outcome.ratio('appends', 'inserts', 'per_s')
    figures[`batches_per_s_${writers}`] = outcome.median('appends', 'per_s')
    rows.push({
      writers,
      batches_per_s: outcome.median('appends', 'per_s'),
      bare_lwt_per_s: outcome.median('inserts', 'per_s'),
      ratio: outcome.ratio('appends', 'inserts', 'per_s'),
    })
  }
  await subject.call('stop')
  await baseline.call('stop')
  table('Slots of the log beside a bare loop of conditional inserts', rows)
  return figures
}

const startSubject = () => startProcess<Subject>(new URL('./subjects/journal-engine.ts', import.meta.url))
