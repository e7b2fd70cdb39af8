import { afterAll, beforeAll } from 'vitest'
import { connectCassandra } from '../../../../../src/persistence/cassandra/connect.ts'
import { CassandraSession } from '../../../../../src/persistence/cassandra/session.ts'
import { freshKeyspace } from '../../../../contract/journal/parts/cassandra-keyspace.ts'

/** A session on a keyspace of the file's own, with the journal's tables; there as long as its tests run. */
export const sessionOfThisFile = (): (() => CassandraSession) => {
  let session: CassandraSession
  beforeAll(async () => {
    const settings = await freshKeyspace()
    session = new CassandraSession(await connectCassandra(settings), settings)
  })
  afterAll(() => session.close())
  return () => session
}
