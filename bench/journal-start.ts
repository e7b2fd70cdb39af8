import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SHARD_COUNT } from '../src/domain/references.ts'
import type { EngineSettings } from '../src/persistence/engine-settings.ts'
import { defineBenchmark, type BenchmarkContext } from './harness/benchmark.ts'
import type { OptionValues } from './harness/options.ts'
import { startProcess } from '../tools/harness/module-process.ts'
import { median } from './harness/statistics.ts'
import { accountId } from './subjects/account.ts'
import { engineOption, journalOn, startDurableCassandra } from './subjects/journal-conditions.ts'
import { actorOf } from './subjects/journal-start.ts'
import { measureServiceStart } from './subjects/service-start.ts'

type Subject = typeof import('./subjects/journal-start.ts')
type Folder = typeof import('./subjects/service-folder.ts')
type Volume = import('./subjects/journal-start.ts').Volume

const FILL_LIMIT_MS = 1_800_000
const EVENTS_PER_LAGGING_ACTOR = 10

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
  forgotten: {
    type: 'boolean',
    default: false,
    about: 'every record is over: its events are folded, and every fourth has gone whole (SQLite)',
  },
  folder: {
    type: 'string',
    default: '',
    about: 'keeps the filled data folder for the next run (SQLite); otherwise it goes with the run',
  },
  rounds: { type: 'number', default: 5, quick: 3, about: 'starts, of which the median counts' },
} as const

type Context = BenchmarkContext<OptionValues<typeof options>>

export const benchmark = defineBenchmark({
  about: 'Start of the whole service, and of the journal alone, on what a killed process left',
  options,
  bars: ({ engine }) =>
    engine === 'sqlite'
      ? { service_ready_s: { atMost: 3 }, ready_s: { atMost: 3 } }
      : { takeover_s: { atMost: 5 } },
  run: (context) => (context.options.engine === 'sqlite' ? onSqlite(context) : onCassandra(context)),
})

async function onSqlite(context: Context) {
  const { progress, note } = context
  const { folder: kept, rounds, actors, events, forgotten } = context.options
  const eventsLeft = forgotten ? 0 : Math.ceil(events / actors)
  const folder = kept === '' ? mkdtempSync(join(tmpdir(), 'bench-start-')) : kept
  try {
    if (!existsSync(join(folder, 'journal.db'))) await fillFolder(context, folder)
    const services = []
    for (let round = 0; round <= rounds; round++) {
      progress(`start of the service ${round} of ${rounds}`)
      services.push((await measureServiceStart(folder)).readyMs / 1_000)
    }
    const [firstService = 0, ...laterServices] = services
    const settings = { engine: 'sqlite', dataFolder: folder } as const
    const starts = []
    for (let round = 1; round <= rounds; round++) {
      progress(`start of the journal ${round} of ${rounds}`)
      starts.push(await start(settings, SHARD_COUNT, accountId(1), eventsLeft))
    }
    note('The first start finds what the kill left; the file is in the memory of the operating system.')
    note(
      'The first start of the service also makes its ledger and its first organisation; each ends by a kill.',
    )
    return {
      service_ready_s: median(laterServices),
      service_ready_s_max: Math.max(...laterServices),
      service_first_ready_s: firstService,
      ready_s: median(starts.map(({ readyMs }) => readyMs)) / 1_000,
      ready_after_kill_s: (starts[0]?.readyMs ?? 0) / 1_000,
      engine_open_ms: median(starts.map(({ engineMs }) => engineMs)),
      first_read_ms: median(starts.map(({ firstReadMs }) => firstReadMs)),
    }
  } finally {
    if (kept === '') rmSync(folder, { recursive: true })
  }
}

async function fillFolder(
  { options: { actors, events, forgotten }, progress }: Context,
  folder: string,
): Promise<void> {
  progress(`asking for ${events} events of ${actors} actors`)
  mkdirSync(folder, { recursive: true })
  const filler = await startProcess<Folder>(new URL('./subjects/service-folder.ts', import.meta.url), {
    callTimeoutMs: FILL_LIMIT_MS,
  })
  const { value } = await filler.call('fill', folder, actors, events, forgotten)
  progress(`${Math.round(value.eventsPerS)} events a second, read by all that follow the journal`)
  // It ends itself by a kill, which the call reports as a failure.
  await filler.call('vanish').catch(() => {})
}

/** Nothing is copied and no checkpoint written: the whole log of the shard has to be read and copied. */
async function onCassandra({ options: { lag, rounds }, open, progress }: Context) {
  const cassandra = await open(startDurableCassandra())
  const takeovers = []
  for (let round = 1; round <= rounds; round++) {
    progress(`takeover ${round} of ${rounds}`)
    const settings = journalOn(cassandra, `bench_start_${round}`)
    await fill(settings, {
      shards: 1,
      actors: lag / EVENTS_PER_LAGGING_ACTOR,
      events: lag,
      eventsPerBatch: 32,
    })
    takeovers.push(await start(settings, 1, actorOf(0, 0), EVENTS_PER_LAGGING_ACTOR))
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

async function start(settings: EngineSettings, shards: number, actor: string, actorEvents: number) {
  const subject = await startSubject()
  try {
    return (await subject.call('start', settings, shards, actor, actorEvents)).value
  } finally {
    await subject[Symbol.asyncDispose]()
  }
}

const startSubject = () =>
  startProcess<Subject>(new URL('./subjects/journal-start.ts', import.meta.url), {
    callTimeoutMs: FILL_LIMIT_MS,
  })
