import { describe, expect, it, onTestFinished } from 'vitest'
import { connectCassandra } from '../../../../src/persistence/cassandra/connect.ts'
import {
  migrateCassandra,
  requireSchema,
  SCHEMA_VERSION,
} from '../../../../src/persistence/cassandra/migrate.ts'
import { CassandraSession, statement } from '../../../../src/persistence/cassandra/session.ts'
import type { CassandraSettings } from '../../../../src/persistence/engine-settings.ts'
import * as cql from '../../../../src/persistence/cassandra/statements.ts'
import { settingsOf } from '../../../contract/journal/parts/cassandra-keyspace.ts'
import { cassandra } from '../../../engines/engines.ts'

const openSession = async (settings: CassandraSettings): Promise<CassandraSession> => {
  const session = new CassandraSession(await connectCassandra(settings), settings)
  onTestFinished(() => session.close())
  return session
}

describe('the migration of Cassandra', () => {
  it('finishes one that broke off in the middle, and then has nothing to do', {
    timeout: 240_000,
  }, async () => {
    const settings = settingsOf(await cassandra())
    const maker = await connectCassandra(settings, { keyspace: null })
    await maker.execute(
      cql.createKeyspace(settings.keyspace, cql.replicationOf({ [settings.localDatacenter]: 1 })),
    )
    await maker.shutdown()
    const session = await openSession(settings)
    for (const each of cql.migrations[0]?.slice(0, 2) ?? []) await session.client.execute(each)
    await expect(requireSchema(session, settings.keyspace)).rejects.toThrow(
      `The keyspace ${settings.keyspace} has schema version 0, this release needs ${SCHEMA_VERSION}: run vouchsafe migrate`,
    )
    expect(await migrateCassandra(settings)).toEqual({ from: 0, to: SCHEMA_VERSION, warnings: [] })
    await requireSchema(session, settings.keyspace)
    expect(await migrateCassandra(settings)).toEqual({
      from: SCHEMA_VERSION,
      to: SCHEMA_VERSION,
      warnings: [],
    })

    await session.write([statement(cql.writeSchemaVersion, 'journal', SCHEMA_VERSION + 1)])
    await expect(requireSchema(session, settings.keyspace)).rejects.toThrow('start the release that wrote it')
  })

  it('leaves keyspaces with other copies as they are, and says so', { timeout: 240_000 }, async () => {
    const settings = settingsOf(await cassandra())
    await migrateCassandra(settings)
    const wanted = {
      ...settings,
      replicationFactor: 3,
      otherDatacenters: [{ datacenter: 'east', copies: 2 }],
    }
    const { warnings } = await migrateCassandra(wanted)
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toBe(
      `The keyspace ${settings.keyspace} has the copies datacenter1:1, the settings say others: ALTER KEYSPACE ${settings.keyspace} WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': 3, 'east': 2}, then nodetool repair --full ${settings.keyspace} on every node, or mend the settings.`,
    )
  })

  it.each([
    [{ keyspace: 'x; DROP KEYSPACE y' }, 'not the name of a keyspace'],
    [{ keyspace: 'Upper' }, 'not the name of a keyspace'],
    [{ localDatacenter: "dc1': 9}" }, 'not the name of a datacenter'],
    [{ otherDatacenters: [{ datacenter: "dc2': 9}", copies: 1 }] }, 'not the name of a datacenter'],
  ])('takes no name that CQL would read otherwise: %j', async (wrong, message) => {
    const address = { contactPoints: ['127.0.0.1:1'], localDatacenter: 'dc1' }
    await expect(migrateCassandra({ ...settingsOf(address), ...wrong })).rejects.toThrow(message)
  })
})
