import type { Client } from 'cassandra-driver'
import { keySchema } from '../vault/cassandra/key-statements.ts'
import { connectCassandra } from './connect.ts'
import { CassandraSession, numberOrNull, statement } from './session.ts'
import type { CassandraSettings } from '../engine-settings.ts'
import * as cql from './statements.ts'

export const SCHEMA_VERSION = cql.migrations.length
const COMPONENT = 'journal'

/** Keys have a keyspace apart from everything they seal, so that a backup of the journal holds none. */
export const keyspaceOfKeys = (keyspace: string): string => `${keyspace}_keys`

export type Migrated = {
  readonly from: number
  readonly to: number
  /** One sentence for each keyspace whose copies are others than the settings say. */
  readonly warnings: readonly string[]
}

/** Creates the keyspaces and brings their tables to this release's version; repeating it does nothing. */
export const migrateCassandra = async (settings: CassandraSettings): Promise<Migrated> => {
  const { keyspace, localDatacenter, replicationFactor, otherDatacenters } = settings
  if (!/^[a-z][a-z0-9_]{0,42}$/.test(keyspace)) throw new Error(`not the name of a keyspace: ${keyspace}`)
  for (const name of [localDatacenter, ...otherDatacenters.map(({ datacenter }) => datacenter)])
    if (!/^[\w.-]+$/.test(name)) throw new Error(`not the name of a datacenter: ${name}`)
  const copies = Object.fromEntries([
    [localDatacenter, replicationFactor],
    ...otherDatacenters.map((other) => [other.datacenter, other.copies] as const),
  ])
  const maker = await connectCassandra(settings, { keyspace: null })
  const warnings: string[] = []
  try {
    const replication = cql.replicationOf(copies)
    await maker.execute(cql.createKeyspace(keyspace, replication))
    for (const each of keySchema(keyspaceOfKeys(keyspace), replication)) await maker.execute(each)
    for (const each of [keyspace, keyspaceOfKeys(keyspace)]) {
      const had = await copiesOf(maker, each)
      if (textOf(had) !== textOf(copies)) warnings.push(otherCopies(each, had, replication))
    }
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
    return { from, to: SCHEMA_VERSION, warnings }
  } finally {
    await session.close()
  }
}

const copiesOf = async (client: Client, keyspace: string): Promise<cql.Replication> => {
  const row = (await client.execute(cql.readKeyspace, [keyspace], { prepare: true })).first()
  if (row === null) throw new Error(`Cassandra does not show the keyspace ${keyspace}, which was just made`)
  const { class: _, ...copies } = row.get('replication') as Readonly<Record<string, string>>
  return Object.fromEntries(
    Object.entries(copies).map(([datacenter, factor]) => [datacenter, Number(factor)]),
  )
}

const textOf = (copies: cql.Replication): string =>
  Object.entries(copies)
    .map(([datacenter, factor]) => `${datacenter}:${factor}`)
    .toSorted()
    .join(',')

/** Not mended here: other copies have to be streamed first, which is a repair on every node of Cassandra. */
const otherCopies = (keyspace: string, had: cql.Replication, replication: string): string =>
  `The keyspace ${keyspace} has the copies ${textOf(had)}, the settings say others: ALTER KEYSPACE ${keyspace} WITH replication = ${replication}, then nodetool repair --full ${keyspace} on every node, or mend the settings.`

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
