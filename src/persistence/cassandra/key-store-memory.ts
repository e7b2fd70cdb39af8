import type { KeyStoreMemory } from '../vault/key-store-mark.ts'
import { type CassandraSession, numberOf, statement } from './session.ts'
import * as cql from './statements.ts'

export const cassandraKeyStoreMemory = (session: CassandraSession): KeyStoreMemory => ({
  read: async () => {
    const [row] = await session.read(statement(cql.readKeyStore))
    return row === undefined ? null : { id: row['id'] as string, count: numberOf(row['count']) }
  },
  record: ({ id, count }) => session.write([statement(cql.recordKeyStore, id, count, count)]),
})
