import { randomBytes } from 'node:crypto'
import type { Client } from 'cassandra-driver'
import { keyspaceOfKeys } from '../../src/persistence/cassandra/migrate.ts'
import type { CassandraNode } from '../infra/cassandra-node.ts'

type Nodes = { readonly nodes: readonly CassandraNode[] }

const MEGABYTE = 1 << 20
/** What a Cassandra whose files are scanned is started with, so that little has to be written until its log lets go of what it had. */
export const LOG_SEGMENT_MEGABYTES = 8
/** Of one that is told nothing else. */
const USUAL_SEGMENT_MEGABYTES = 32
/** More than one segment of the commit log. */
const MEGABYTES_MORE = 2

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
export const rollCommitLog = async (
  client: Client,
  { nodes: [node] }: Nodes,
  keyspace: string,
): Promise<void> => {
  const rows = (node?.settings.logSegmentMegabytes ?? USUAL_SEGMENT_MEGABYTES) + MEGABYTES_MORE
  await client.execute(`CREATE TABLE IF NOT EXISTS ${keyspace}.filler (id int PRIMARY KEY, bytes blob)`)
  for (let id = 0; id < rows; id++) {
    await client.execute(
      `INSERT INTO ${keyspace}.filler (id, bytes) VALUES (?, ?)`,
      [id, randomBytes(MEGABYTE)],
      { prepare: true },
    )
  }
}

/** What the documented clean-up of erased keys and deleted bodies does. */
export const cleanUp = async (client: Client, servers: Nodes, keyspace: string): Promise<void> => {
  const keys = keyspaceOfKeys(keyspace)
  await rollCommitLog(client, servers, keys)
  for (const node of servers.nodes) {
    await node.nodetool('flush')
    await node.nodetool('garbagecollect', keys)
    await node.nodetool('garbagecollect', keyspace, 'bodies')
  }
  // Whoever looks at the files next need not read all of it again.
  await client.execute(`TRUNCATE ${keys}.filler`)
}
