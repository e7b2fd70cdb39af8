import type { Client } from 'cassandra-driver'
import { keySchema } from './key-statements.ts'

const KEYSPACE = /^[a-z][a-z0-9_]{0,47}$/

/** Harmless when it was run before. `replication` is CQL, such as `{'class': 'SimpleStrategy', 'replication_factor': 3}`. */
export const createKeySchema = async (
  client: Client,
  keyspace: string,
  replication: string,
): Promise<void> => {
  if (!KEYSPACE.test(keyspace)) throw new RangeError(`${keyspace} can't be the name of a keyspace`)
  for (const statement of keySchema(keyspace, replication)) await client.execute(statement)
}
