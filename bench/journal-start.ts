import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SHARD_COUNT } from '../src/domain/shards.ts'
import type { EngineSettings } from '../src/persistence/engine-settings.ts'
import { type BenchmarkContext, defineBenchmark } from './harness/benchmark.ts'
import type { OptionValues } from './harness/options.ts'
import { startProcess } from './harness/process.ts'
import { median } from './harness/statistics.ts'
import { engineOption, journalOn, startDurableCassandra } from './subjects/journal-conditions.ts'

type Subject = typeof import('./subjects/journal-start.ts')
type Volume = import('./subjects/journal-start.ts').Volume

const FILL_LIMIT_MS = 1_800_000

const options = {
  engine: engineOption,
  actors: { type: 'number', default: 1_000_000, quick: 50_000, about: 'actors in the journal (SQLite)' },
  events: { type: 'number', default: 5_000_000, quick: 250_000, about: 'events in the journal (SQLite)' },
  lag: {
    type: 'number',
    default: 10_000,
    quick: 2_000,
    about: 'events of the shard that are not copied (Cassandra)',
  },
  rounds: { type: 'number', default: 5, quick: 3, about: 'starts, of which the median counts' },
} as const

type Context = BenchmarkContext<OptionValues<typeof options>>

export const benchmark = defineBenchmark({
  about:
    'Start of a process on a journal whose last owner was killed: ready means every shard is open for writing',
  options,
  bars: ({ engine }) => (engine === 'sqlite' ? { ready_s: { atMost: 3 } } : { takeover_s: { atMost: 5 } }),
  run: (context) => (context.options.engine === 'sqlite' ? onSqlite(context) : onCassandra(context)),
})

async function onSqlite({ options: { actors, events, rounds }, progress, note }: Context) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'))
  try {
    const settings = { engine: 'sqlite', dataFolder: folder } as const
    progress(`writing ${events} events of ${actors} actors`)
    await fill(settings, { shards: SHARD_COUNT, actors, events, eventsPerBatch: 64 })
    const starts = []
    for (let round = 1; round <= rounds; round++) {
      progress(`start ${round} of ${rounds}`)
      starts.push(await start(settings, SHARD_COUNT))
    }
    note('The first start finds what the kill left; the file is in the memory of the operating system.')
    return {
      ready_s: median(starts.map(({ readyMs }) => readyMs)) / 1_000,
      ready_after_kill_s: (starts[0]?.readyMs ?? 0) / 1_000,
      engine_open_ms: median(starts.map(({ engineMs }) => engineMs)),
      first_read_ms: median(starts.map(({ firstReadMs }) => firstReadMs)),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Nothing is copied and no checkpoint written: the whole log of the shard has to be read and copied. */
async function onCassandra({ options: { lag, rounds }, open, progress }: Context) {
  const cassandra = await open(startDurableCassandra())
  const takeovers = []
  for (let round = 1; round <= rounds; round++) {
    progress(`takeover ${round} of ${rounds}`)
    const settings = journalOn(cassandra, `bench_start_${round}`)
    await fill(settings, { shards: 1, actors: lag / 10, events: lag, eventsPerBatch: 32 })
    takeovers.push(await start(settings, 1))
  }
  return {
    takeover_s: median(takeovers.map(({ readyMs, engineMs }) => readyMs - engineMs)) / 1_000,
    connect_ms: median(takeovers.map(({ engineMs }) => engineMs)),
    first_read_ms: median(takeovers.map(({ firstReadMs }) => firstReadMs)),
  }
}

async function fill(settings: EngineSettings, volume: Volume): Promise<void> {
  const filler = await startSubject()
  // It ends itself by a kill, which the call reports as a failure.
  await filler.call('fill', settings, volume).catch(() => {})
}

async function start(settings: EngineSettings, shards: number) {
  const subject = await startSubject()
  try {
    return (await subject.call('start', settings, shards)).value
  } finally {
    await subject[Symbol.asyncDispose]()
  }
}

const startSubject = () =>
  startProcess<Subject>(new URL('./subjects/journal-start.ts', import.meta.url), {
    callTimeoutMs: FILL_LIMIT_MS,
  })
