// What every benchmark of the journal has in common, so that their figures can be compared with each other.
import type { EngineSettings } from '../../src/persistence/engine-settings.ts'
import { type Cassandra, startCassandra } from '../../tools/infra/cassandra.ts'
import type { BenchmarkContext } from '../harness/benchmark.ts'
import type { OptionValues } from '../harness/options.ts'
import { type Called, type ModuleProcess, startProcess } from '../../tools/harness/module-process.ts'

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

/** What a process does for each row, from the answer to its call. */
export const perRow = async (call: Promise<Called<{ readonly perS: number; readonly rows: number }>>) => {
  const { value, cpuMs } = await call
  return { per_s: value.perS, cpu_us: (cpuMs * 1_000) / value.rows }
}

/** A Cassandra, and conditional inserts into it that a journal on it is measured beside. */
export const besideCassandra = async ({ open, progress }: BesideInserts, keyspace: string) => {
  progress('starting one Cassandra with commitlog_sync: batch')
  const cassandra = await open(startDurableCassandra())
  const file = new URL('../baselines/cassandra-inserts.ts', import.meta.url)
  const baseline = await open(startProcess<Conditional>(file))
  await baseline.call('start', cassandra.contactPoints, cassandra.localDatacenter)
  return { baseline, journal: journalOn(cassandra, keyspace) }
}

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
    otherDatacenters: [],
    tls: null,
    replicationFactor: 1,
    consistency: 'quorum',
    credentials: null,
    requestTimeoutMs: 10_000,
  },
})
