import { defineBenchmark, type Figures } from './harness/benchmark.ts'
import { startProcess } from '../tools/harness/module-process.ts'
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

type Subject = typeof import('./subjects/journal-engine.ts')

export const benchmark = defineBenchmark({
  about:
    'Appends to an engine of the journal, without protocol and host, beside bare inserts of the same bytes',
  options: besideInserts,
  bars: ({ engine }) =>
    engine === 'sqlite' ? { appends_ratio_1024: { atLeast: 0.5 } } : { batches_ratio_256: { atLeast: 0.8 } },
  run: (context) => (context.options.engine === 'sqlite' ? onSqlite(context) : onCassandra(context)),
})

async function onSqlite({ options: { rounds, seconds }, open, progress, table, note }: BesideInserts) {
  const subject = await open(startSubject())
  const baseline = await open(startInserts())
  await subject.call('start', null)
  const figures: Record<string, number> = {}
  const rows = []
  for (const callers of [1, 64, 1_024, 16_384]) {
    const outcome = await interleave({
      rounds,
      progress: (text) => progress(`${callers} at once, ${text}`),
      contestants: {
        appends: () => perRow(subject.call('run', callers, seconds * 1_000, EVENT)),
        inserts: () => perRow(baseline.call('run', callers, seconds * 1_000, EVENT)),
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

async function onCassandra(context: BesideInserts): Promise<Figures> {
  const { options, open, progress, table } = context
  const { rounds, seconds } = options
  const { baseline, journal } = await besideCassandra(context, 'bench_engine')
  const subject = await open(startSubject())
  await subject.call('start', journal)
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
