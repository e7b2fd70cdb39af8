import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'cassandra-driver'
import { keyspaceOfKeys, migrateCassandra } from '../../src/persistence/cassandra/migrate.ts'
import { createMasterKeyFile, newMasterKey } from '../../src/persistence/vault/master-key-file.ts'
import { journalOn, startDurableCassandra } from './journal-conditions.ts'
import type { StoredBytes } from './stored-bytes.ts'
import { linkSettings } from '../../tools/harness/cluster-secret.ts'

const KEYSPACE = 'bench_storage'
const KEYSPACES = [KEYSPACE, keyspaceOfKeys(KEYSPACE)]
/** It holds between one and two segments of each shard, however much is stored. */
const LOG_TABLE = 'shard_log'

type TableStats = Readonly<
  Record<string, { readonly tables: Readonly<Record<string, { readonly space_used_live: string }>> }>
>

/** A Cassandra for a service, whose keyspaces are measured after flush and compaction, as if tombstones had served their time. */
export const openStoredInCassandra = async () => {
  const cassandra = await startDurableCassandra()
  const { cassandra: settings } = journalOn(cassandra, KEYSPACE)
  await migrateCassandra(settings)
  const client = new Client({
    contactPoints: [...settings.contactPoints],
    localDataCenter: settings.localDatacenter,
  })
  await client.connect()
  for (const keyspace of KEYSPACES) await withoutGrace(client, keyspace)
  const folder = mkdtempSync(join(tmpdir(), 'bench-storage-'))
  const keyFile = join(folder, 'vault.key')
  createMasterKeyFile(keyFile, newMasterKey())
  return {
    environment: {
      VOUCHSAFE_JOURNAL: 'cassandra',
      VOUCHSAFE_CASSANDRA_CONTACT_POINTS: settings.contactPoints.join(','),
      VOUCHSAFE_CASSANDRA_LOCAL_DATACENTER: settings.localDatacenter,
      VOUCHSAFE_CASSANDRA_KEYSPACE: KEYSPACE,
      VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR: '1',
      VOUCHSAFE_VAULT_KEY_FILE: keyFile,
      ...linkSettings(keyFile),
      // A busy machine is to lose no lease: bytes are measured here, not time.
      VOUCHSAFE_VAULT_TIMEOUT_MS: '20000',
      VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS: '20000',
      VOUCHSAFE_DEAD_AFTER_MS: '60000',
    },
    retiredMin: async (shards: readonly number[]): Promise<number> => {
      const { rows } = await client.execute(`SELECT shard, first_segment FROM ${KEYSPACE}.shard_segments`)
      const first = new Map(rows.map((row) => [Number(row.get('shard')), Number(row.get('first_segment'))]))
      return Math.min(...shards.map((shard) => first.get(shard) ?? 0))
    },
    /** What the tables take beside what the service has in its own folder. */
    with: async (own: StoredBytes): Promise<StoredBytes> => {
      const parts: Record<string, number> = { ...own.parts }
      let { total } = own
      for (const node of cassandra.nodes) {
        await node.nodetool('flush')
        for (const keyspace of KEYSPACES) {
          await node.nodetool('compact', keyspace)
          const stats = JSON.parse(await node.nodetool('tablestats', '-F', 'json', keyspace)) as TableStats
          for (const [table, { space_used_live: bytes }] of Object.entries(stats[keyspace]?.tables ?? {})) {
            parts[table] = Number(bytes)
            if (table !== LOG_TABLE) total += Number(bytes)
          }
        }
      }
      return { ...own, parts, total }
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await client.shutdown()
      await cassandra.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type StoredInCassandra = Awaited<ReturnType<typeof openStoredInCassandra>>

const withoutGrace = async (client: Client, keyspace: string): Promise<void> => {
  const { rows } = await client.execute(
    'SELECT table_name FROM system_schema.tables WHERE keyspace_name = ?',
    [keyspace],
  )
  for (const row of rows)
    await client.execute(`ALTER TABLE ${keyspace}.${String(row.get('table_name'))} WITH gc_grace_seconds = 0`)
}
