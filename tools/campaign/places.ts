import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrateCassandra } from '../../src/persistence/cassandra/migrate.ts'
import type { CassandraSettings } from '../../src/persistence/engine-settings.ts'
import type { EngineSettings } from '../../src/persistence/engine-settings.ts'
import { type Cassandra, startCassandra } from '../infra/cassandra.ts'

/** Where a campaign's journal lives; `servers` can be killed too. */
export type Place = AsyncDisposable & {
  readonly engine: EngineSettings
  readonly servers: Cassandra | null
}

export const sqlitePlace = (parent = tmpdir()): Place => {
  const dataFolder = mkdtempSync(join(parent, 'vouchsafe-campaign-'))
  return {
    engine: { engine: 'sqlite', dataFolder },
    servers: null,
    [Symbol.asyncDispose]: async () => rmSync(dataFolder, { recursive: true, force: true }),
  }
}

export const cassandraPlace = async (nodes: number, dataDir?: string): Promise<Place> => {
  const servers = await startCassandra({
    nodes,
    commitLogSync: 'batch',
    heapMegabytes: 512,
    ...(dataDir === undefined ? {} : { dataDir }),
  })
  const cassandra: CassandraSettings = {
    contactPoints: servers.contactPoints,
    localDatacenter: servers.localDatacenter,
    keyspace: 'campaign',
    replicationFactor: nodes,
    consistency: 'quorum',
    credentials: null,
    requestTimeoutMs: 5_000,
  }
  try {
    await migrateCassandra(cassandra)
  } catch (error) {
    await servers.stop()
    throw error
  }
  return {
    engine: { engine: 'cassandra', cassandra },
    servers,
    [Symbol.asyncDispose]: () => servers.stop(),
  }
}
