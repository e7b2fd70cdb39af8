import { defineBenchmark, type Figures } from './harness/benchmark.ts'
import { type ModuleProcess, startProcess } from '../tools/harness/module-process.ts'
import { interleave } from './harness/rounds.ts'
import {
  besideCassandra,
  besideInserts,
  type BesideInserts,
  ENTRY_BYTES,
  EVENT,
  perRow,
  startInserts,
} from './subjects/journal-conditions.ts'

type Subject = typeof import('./subjects/durable-host.ts')

const SHARDS = 256
/** More than a shard's copies keep up with, and less than its queue holds. */
const PRESSING_ASKERS = 4_096
const PRESSING_SECONDS_MIN = 15

export const benchmark = defineBenchmark({
  about: 'Durable asks through the host beside bare inserts of the same bytes into the same engine',
  options: besideInserts,
  bars: ({ engine }) =>
    engine === 'sqlite'
      ? { durable_asks_ratio_1024: { atLeast: 0.35 } }
      : {
          batches_ratio: { atLeast: 0.8 },
          events_per_lwt_1024: { atLeast: 2 },
          events_per_lwt_16384: { atLeast: 20 },
          max_copy_lag_events: { atMost: 10_000 },
        },
  run: (context) => (context.options.engine === 'sqlite' ? runSqlite(context) : runCassandra(context)),
})

async function runSqlite({
  options: { rounds, seconds },
  open,
  progress,
  table,
  note,
}: BesideInserts): Promise<Figures> {
  const subject = await open(startSubject())
  const baseline = await open(startInserts())
  await subject.call('start', null)
  const figures: Record<string, number> = {}
  const rows = []
  for (const askers of [1, 64, 1_024]) {
    const outcome = await interleave({
      rounds,
      progress: (text) => progress(`${askers} askers, ${text}`),
      contestants: {
        asks: () => measureAsks(subject, askers, seconds),
        inserts: () => perRow(baseline.call('run', askers, seconds * 1_000, EVENT)),
      },
    })
    figures[`durable_asks_ratio_${askers}`] = outcome.ratio('asks', 'inserts', 'per_s')
    figures[`durable_asks_per_s_${askers}`] = outcome.median('asks', 'per_s')
    figures[`inserts_per_s_${askers}`] = outcome.median('inserts', 'per_s')
    rows.push({
      askers,
      asks_per_s: outcome.median('asks', 'per_s'),
      inserts_per_s: outcome.median('inserts', 'per_s'),
      ratio: outcome.ratio('asks', 'inserts', 'per_s'),
      ask_cpu_us: outcome.median('asks', 'cpu_us'),
      insert_cpu_us: outcome.median('inserts', 'cpu_us'),
      ask_p50_ms: outcome.median('asks', 'p50_ms'),
      ask_p99_ms: outcome.median('asks', 'p99_ms'),
    })
  }
  await subject.call('stop')
  table(
    'Durable asks (decided, committed, answered; all 256 shards) beside bare group-committed inserts',
    rows,
  )
  note('Processor time is that of the whole process, its database threads included.')
  return figures
}

async function runCassandra(context: BesideInserts): Promise<Figures> {
  const { options, open, progress, table, note } = context
  const { rounds, seconds } = options
  const { baseline, journal } = await besideCassandra(context, 'bench_journal')
  const subject = await open(startSubject())
  await subject.call('start', journal)
  const figures: Record<string, number> = {}
  const rows = []
  for (const askers of [1_024, 16_384]) {
    let bytes = ENTRY_BYTES
    const outcome = await interleave({
      rounds,
      progress: (text) => progress(`${askers} askers, ${text}`),
      contestants: {
        asks: async () => {
          const measured = await measureAsks(subject, askers, seconds)
          bytes = Math.round(measured.events_per_batch * ENTRY_BYTES)
          return measured
        },
        inserts: async () => {
          const { value } = await baseline.call('run', SHARDS, seconds * 1_000, bytes)
          return { batches_per_s: value.perS }
        },
      },
    })
    figures[`events_per_lwt_${askers}`] = outcome.median('asks', 'events_per_batch')
    figures[`durable_asks_per_s_${askers}`] = outcome.median('asks', 'per_s')
    figures[`batches_per_s_${askers}`] = outcome.median('asks', 'batches_per_s')
    figures[askers === 1_024 ? 'batches_ratio' : `batches_ratio_${askers}`] = outcome.ratio(
      'asks',
      'inserts',
      'batches_per_s',
    )
    rows.push({
      askers,
      asks_per_s: outcome.median('asks', 'per_s'),
      batches_per_s: outcome.median('asks', 'batches_per_s'),
      bare_lwt_per_s: outcome.median('inserts', 'batches_per_s'),
      events_per_lwt: outcome.median('asks', 'events_per_batch'),
      p99_ms: outcome.median('asks', 'p99_ms'),
      failures: outcome.median('asks', 'failures'),
    })
  }
  Object.assign(
    figures,
    await pressOneShard(subject, Math.max(PRESSING_SECONDS_MIN, seconds * rounds), progress),
  )
  await subject.call('stop')
  await baseline.call('stop')
  table('Log batches of the host beside a bare loop of conditional inserts, 256 writers each', rows)
  note('The host also copies every event to its actor; the bare loop writes the log alone.')
  return figures
}

/** All askers on one shard, whose copies fall behind until new work is held back. */
async function pressOneShard(
  subject: ModuleProcess<Subject>,
  seconds: number,
  progress: (text: string) => void,
): Promise<Figures> {
  const { value: spread } = await subject.call('copyLagEventsMax')
  progress(`${PRESSING_ASKERS} askers on one shard for ${seconds} s`)
  const { value } = await subject.call('run', PRESSING_ASKERS, seconds * 1_000, 1)
  return {
    max_copy_lag_events_spread: spread,
    max_copy_lag_events: (await subject.call('copyLagEventsMax')).value,
    one_shard_asks_per_s: value.perS,
    one_shard_refused_per_s: value.failures / seconds,
    one_shard_p99_ms: value.latency.p99_ms,
  }
}

const startSubject = (): Promise<ModuleProcess<Subject>> =>
  startProcess<Subject>(new URL('./subjects/durable-host.ts', import.meta.url))

const measureAsks = async (subject: ModuleProcess<Subject>, askers: number, seconds: number) => {
  const { value, cpuMs } = await subject.call('run', askers, seconds * 1_000)
  return {
    per_s: value.perS,
    cpu_us: (cpuMs * 1_000) / Math.max(1, value.events),
    batches_per_s: value.batchesPerS,
    events_per_batch: value.eventsPerBatch,
    p50_ms: value.latency.p50_ms,
    p99_ms: value.latency.p99_ms,
    failures: value.failures,
  }
}
