import { randomBytes } from 'node:crypto'
import type { Client } from 'cassandra-driver'
import { keyspaceOfKeys } from '../../src/persistence/cassandra/migrate.ts'
import type { Cassandra } from '../infra/cassandra.ts'

const FILLER_BYTES = 1 << 20
/** More than one segment of the commit log. */
const FILLER_ROWS = 40

/** From here on the tables of the keyspace are stored as they are: in compressed files a scan finds less than there is. */
export const storeUncompressed = async (client: Client, keyspace: string): Promise<void> => {
  const { rows } = await client.execute(
    'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?',
    [keyspace],
  )
  for (const row of rows) {
    const table = `${keyspace}.${String(row.get('table_name'))}`
    await client.execute(`ALTER TABLE ${table} WITH compression = {'enabled': false}`)
  }
}

/** Writes until the commit log has begun a new segment, as a busy cluster does by itself. */
export const rollCommitLog = async (client: Client, keyspace: string): Promise<void> => {
  await client.execute(`CREATE TABLE IF NOT EXISTS ${keyspace}.filler (id int PRIMARY KEY, bytes blob)`)
  for (let id = 0; id < FILLER_ROWS; id++) {
    await client.execute(
      `INSERT INTO ${keyspace}.filler (id, bytes) VALUES (?, ?)`,
      [id, randomBytes(FILLER_BYTES)],
      { prepare: true },
    )
  }
}

/** What the documented clean-up of erased keys and deleted bodies does. */
export const cleanUp = async (client: Client, { nodes }: Cassandra, keyspace: string): Promise<void> => {
  const keys = keyspaceOfKeys(keyspace)
  await rollCommitLog(client, keys)
  for (const node of nodes) {
    await node.nodetool('flush')
    await node.nodetool('garbagecollect', keys)
    await node.nodetool('garbagecollect', keyspace, 'bodies')
  }
}
