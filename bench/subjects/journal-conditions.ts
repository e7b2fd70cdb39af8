// What every benchmark of the journal has in common, so that their figures can be compared with each other.
import type { EngineSettings } from '../../src/persistence/engine-settings.ts'
import { type Cassandra, startCassandra } from '../../tools/infra/cassandra.ts'
import type { BenchmarkContext } from '../harness/benchmark.ts'
import type { OptionValues } from '../harness/options.ts'
import { type ModuleProcess, startProcess } from '../../tools/harness/module-process.ts'

type Inserts = typeof import('../baselines/sqlite-inserts.ts')
type Conditional = typeof import('../baselines/cassandra-inserts.ts')

/** What one command of the benchmark's actor leaves in the journal. */
export const EVENT =
  '{"type":"Deposited","amount":1,"note":"the quick brown fox jumps over the lazy dog and the lazy dog does not mind"}'
/** Ids and sequence beside the event in a batch. */
export const ENTRY_BYTES = EVENT.length + 90

export const engineOption = {
  type: 'string',
  choices: ['sqlite', 'cassandra'],
  default: 'sqlite',
  about: 'engine of the journal',
} as const

/** Options of a benchmark that goes by turns with bare inserts. */
export const besideInserts = {
  engine: engineOption,
  rounds: { type: 'number', default: 7, quick: 3, about: 'rounds, of which the median counts' },
  seconds: { type: 'number', default: 3, quick: 1, about: 'length of a round' },
} as const

export type BesideInserts = BenchmarkContext<OptionValues<typeof besideInserts>>

export const startInserts = (): Promise<ModuleProcess<Inserts>> =>
  startProcess<Inserts>(new URL('../baselines/sqlite-inserts.ts', import.meta.url))

export const startConditionalInserts = (): Promise<ModuleProcess<Conditional>> =>
  startProcess<Conditional>(new URL('../baselines/cassandra-inserts.ts', import.meta.url))

/** One Cassandra that answers a write when it is on the disk, as SQLite does. */
export const startDurableCassandra = (): Promise<Cassandra> =>
  startCassandra({ commitLogSync: 'batch', heapMegabytes: 1_024 })

export const journalOn = (
  { contactPoints, localDatacenter }: Cassandra,
  keyspace: string,
): Extract<EngineSettings, { engine: 'cassandra' }> => ({
  engine: 'cassandra',
  cassandra: {
    contactPoints,
    localDatacenter,
    keyspace,
    replicationFactor: 1,
    consistency: 'quorum',
    credentials: null,
    requestTimeoutMs: 10_000,
  },
})
