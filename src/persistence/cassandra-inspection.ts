import { types } from 'cassandra-driver'
import type { Config } from '../config/config.ts'
import { connectCassandra } from './cassandra/connect.ts'
import { cassandraSettings } from './engine-settings.ts'

export type CassandraFindings = {
  readonly releaseVersion: string
  readonly nodes: number
  /** Cassandra's clock minus ours; the round trip is the margin of error. */
  readonly clockAheadMs: number
}

const LOOK = 'SELECT release_version, toUnixTimestamp(now()) AS now FROM system.local'

/** Connects once, reads, and disconnects; `vouchsafe doctor` uses it, the journal does not. */
export const inspectCassandra = async (config: Config['cassandra']): Promise<CassandraFindings> => {
  const client = await connectCassandra(cassandraSettings(config), { keyspace: null })
  try {
    const result = await client.execute(LOOK, [], { consistency: types.consistencies.localOne })
    const row = result.first()
    return {
      releaseVersion: String(row?.get('release_version')),
      nodes: client.hosts.length,
      // The driver wraps a bigint in a class that has to go through its text.
      clockAheadMs: Number(String(row?.get('now'))) - Date.now(),
    }
  } finally {
    await client.shutdown()
  }
}
