import { types } from 'cassandra-driver'
import type { Config } from '../config/config.ts'
import { connectCassandra } from './cassandra/connect.ts'
import { cassandraSettings } from './engine-settings.ts'

export type CassandraFindings = {
  readonly releaseVersion: string
  readonly nodes: number
  /** Cassandra's clock minus ours, give or take the round trip. */
  readonly clockAheadMs: number
}

const LOOK = 'SELECT release_version, toUnixTimestamp(now()) AS now FROM system.local'

/** Connects once, looks, and leaves: for the operator's diagnosis, not for the journal. */
export const inspectCassandra = async (config: Config['cassandra']): Promise<CassandraFindings> => {
  const client = await connectCassandra(cassandraSettings(config), { keyspace: null })
  try {
    const result = await client.execute(LOOK, [], { consistency: types.consistencies.localOne })
    const row = result.first()
    return {
      releaseVersion: String(row?.get('release_version')),
      nodes: client.hosts.length,
      // A bigint, which the driver wraps in a class of its own.
      clockAheadMs: Number(String(row?.get('now'))) - Date.now(),
    }
  } finally {
    await client.shutdown()
  }
}
