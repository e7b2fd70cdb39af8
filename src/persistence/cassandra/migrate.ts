import { keySchema } from '../vault/cassandra/key-statements.ts'
import { connectCassandra } from './connect.ts'
import { CassandraSession, numberOrNull, statement } from './session.ts'
import type { CassandraSettings } from '../engine-settings.ts'
import * as cql from './statements.ts'

export const SCHEMA_VERSION = cql.migrations.length
const COMPONENT = 'journal'

/** Keys have a keyspace apart from everything they seal, so that a backup of the journal holds none. */
export const keyspaceOfKeys = (keyspace: string): string => `${keyspace}_keys`

export type Migrated = { readonly from: number; readonly to: number }

/** Creates the keyspaces and brings their tables to this release's version; repeating it does nothing. */
export const migrateCassandra = async (settings: CassandraSettings): Promise<Migrated> => {
  const { keyspace, localDatacenter, replicationFactor } = settings
  if (!/^[a-z][a-z0-9_]{0,42}$/.test(keyspace)) throw new Error(`not the name of a keyspace: ${keyspace}`)
  if (!/^[\w.-]+$/.test(localDatacenter)) throw new Error(`not the name of a datacenter: ${localDatacenter}`)
  const maker = await connectCassandra(settings, { keyspace: null })
  try {
    const replication = cql.replicationOf(localDatacenter, replicationFactor)
    await maker.execute(cql.createKeyspace(keyspace, replication))
    for (const each of keySchema(keyspaceOfKeys(keyspace), replication)) await maker.execute(each)
  } finally {
    await maker.shutdown()
  }
  const client = await connectCassandra(settings)
  const session = new CassandraSession(client, settings)
  try {
    await client.execute(cql.createSchemaVersion)
    const from = await readVersion(session)
    refuseNewer(from, keyspace)
    for (const statements of cql.migrations.slice(from)) {
      for (const each of statements) await client.execute(each)
    }
    if (from < SCHEMA_VERSION) {
      await session.write([statement(cql.writeSchemaVersion, COMPONENT, SCHEMA_VERSION)])
    }
    return { from, to: SCHEMA_VERSION }
  } finally {
    await session.close()
  }
}

/** Checked at every start: a release never runs on another release's tables. */
export const requireSchema = async (session: CassandraSession, keyspace: string): Promise<void> => {
  const version = await readVersion(session).catch((error: Error) => {
    if (/unconfigured table|does not exist/i.test(error.message)) return 0
    throw error
  })
  refuseNewer(version, keyspace)
  if (version === SCHEMA_VERSION) return
  throw new Error(
    `The keyspace ${keyspace} has schema version ${version}, this release needs ${SCHEMA_VERSION}: run vouchsafe migrate`,
  )
}

const refuseNewer = (version: number, keyspace: string): void => {
  if (version <= SCHEMA_VERSION) return
  throw new Error(
    `The keyspace ${keyspace} has schema version ${version}, this release knows up to ${SCHEMA_VERSION}: start the release that wrote it`,
  )
}

const readVersion = async (session: CassandraSession): Promise<number> => {
  const [row] = await session.read(statement(cql.readSchemaVersion, COMPONENT))
  return numberOrNull(row?.['version']) ?? 0
}
