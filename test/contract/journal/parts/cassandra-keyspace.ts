import { migrateCassandra } from '../../../../src/persistence/cassandra/migrate.ts'
import type { CassandraSettings } from '../../../../src/persistence/engine-settings.ts'
import { cassandra } from '../../../engines/engines.ts'
import { uniqueText } from './slots.ts'

export const settingsOf = (
  address: { readonly contactPoints: readonly string[]; readonly localDatacenter: string },
  replicationFactor = 1,
): CassandraSettings => ({
  ...address,
  keyspace: `journal_${uniqueText()}`,
  replicationFactor,
  otherDatacenters: [],
  consistency: 'quorum',
  credentials: null,
  tls: null,
  requestTimeoutMs: 10_000,
})

/** A keyspace of the suite's own, with the journal's tables. */
export const freshKeyspace = async (): Promise<CassandraSettings> => {
  const settings = settingsOf(await cassandra())
  await migrateCassandra(settings)
  return settings
}
