import { readFileSync } from 'node:fs'
import { auth, Client, types } from 'cassandra-driver'
import type { Config } from '../config/config.ts'

export type CassandraFindings = {
  readonly releaseVersion: string
  readonly nodes: number
  /** Cassandra's clock minus ours, give or take the round trip. */
  readonly clockAheadMs: number
}

const TIMEOUT_MS = 5_000

/** Connects once, looks, and leaves: for the operator's diagnosis, not for the journal. */
export const inspectCassandra = async (config: Config['cassandra']): Promise<CassandraFindings> => {
  const client = new Client({
    contactPoints: [...config.contactPoints],
    localDataCenter: config.localDatacenter,
    socketOptions: { connectTimeout: TIMEOUT_MS, readTimeout: TIMEOUT_MS },
    ...(config.username !== '' && { authProvider: authentication(config) }),
  })
  try {
    await client.connect()
    const result = await client.execute(
      'SELECT release_version, toTimestamp(now()) AS now FROM system.local',
      [],
      { consistency: types.consistencies.localOne },
    )
    const row = result.first()
    return {
      releaseVersion: String(row?.get('release_version')),
      nodes: client.hosts.length,
      clockAheadMs: Number((row?.get('now') as Date | null)?.getTime()) - Date.now(),
    }
  } finally {
    await client.shutdown()
  }
}

const authentication = (config: Config['cassandra']) =>
  new auth.PlainTextAuthProvider(
    config.username,
    readFileSync(config.passwordFile, 'utf8').split('\n')[0] ?? '',
  )
