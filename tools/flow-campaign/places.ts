import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSeparatePool } from '../../src/ledger/sandbox/separate-pool.ts'
import { migrateCassandra } from '../../src/persistence/cassandra/migrate.ts'
import { createMasterKeyFile, newMasterKey } from '../../src/persistence/vault/master-key-file.ts'
import { startCassandra } from '../infra/cassandra.ts'
import { startKafka } from '../infra/kafka.ts'

/** What the service stands on, which is not killed but for the sandbox's ledger. */
export type ServicePlace = {
  readonly dataFolder: string
  readonly settings: Readonly<Record<string, string>>
  close(): Promise<void>
}

const KEYSPACE = 'flows'
/** So that a killed node is believed dead soon; the shares of the defaults. */
const HEARTBEAT_MS = 500
const DEAD_AFTER_MS = 2_500

/** The ledger belongs to somebody else, as an Indy network does: it is not killed with the service. */
export const embeddedPlace = async (): Promise<ServicePlace> => {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-flows-'))
  const ledger = await startSeparatePool({
    folder: join(folder, 'ledger'),
    host: '127.0.0.1',
    firstPort: 0,
    onBug: (name) => {
      throw new Error(`the ledger met a bug: ${name}`)
    },
  })
  const dataFolder = join(folder, 'data')
  const genesisFile = join(folder, 'genesis.txn')
  const seedFile = join(folder, 'endorser.seed')
  writeFileSync(genesisFile, ledger.genesis)
  writeFileSync(seedFile, ledger.endorserSeed.toString('hex'), { mode: 0o600 })
  return {
    dataFolder,
    settings: {
      VOUCHSAFE_DATA_FOLDER: dataFolder,
      VOUCHSAFE_LEDGER: 'indy',
      VOUCHSAFE_LEDGER_NAMESPACE: 'sandbox',
      VOUCHSAFE_LEDGER_GENESIS_FILE: genesisFile,
      VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE: seedFile,
    },
    close: async () => {
      await ledger[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The service with the ledger of its own that `npm start` brings: wallets lose both at once. */
export const sandboxPlace = async (): Promise<ServicePlace> => {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-flows-'))
  const dataFolder = join(folder, 'data')
  return {
    dataFolder,
    settings: { VOUCHSAFE_DATA_FOLDER: dataFolder },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A Cassandra of one node that acknowledges only what is on disk, and a Kafka of one broker. */
export const clusterPlace = async (): Promise<ServicePlace> => {
  const embedded = await embeddedPlace()
  const cassandra = await startCassandra({ commitLogSync: 'batch', heapMegabytes: 512 })
  const kafka = await startKafka()
  const close = async (): Promise<void> => {
    await Promise.all([cassandra.stop(), kafka.stop()])
    await embedded.close()
  }
  try {
    await migrateCassandra({
      contactPoints: cassandra.contactPoints,
      localDatacenter: cassandra.localDatacenter,
      keyspace: KEYSPACE,
      replicationFactor: 1,
      consistency: 'quorum',
      credentials: null,
      requestTimeoutMs: 10_000,
    })
  } catch (error) {
    await close()
    throw error
  }
  const keyFile = `${embedded.dataFolder}.key`
  createMasterKeyFile(keyFile, newMasterKey())
  const settings = {
    ...embedded.settings,
    VOUCHSAFE_VAULT_KEY_FILE: keyFile,
    VOUCHSAFE_JOURNAL: 'cassandra',
    VOUCHSAFE_CASSANDRA_CONTACT_POINTS: cassandra.contactPoints.join(','),
    VOUCHSAFE_CASSANDRA_LOCAL_DATACENTER: cassandra.localDatacenter,
    VOUCHSAFE_CASSANDRA_KEYSPACE: KEYSPACE,
    VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR: '1',
    VOUCHSAFE_STREAM: 'kafka',
    VOUCHSAFE_KAFKA_BROKERS: kafka.brokers.join(','),
    VOUCHSAFE_KAFKA_TOPIC_PREFIX: KEYSPACE,
    VOUCHSAFE_NODE_NAME: 'node-1',
    VOUCHSAFE_HEARTBEAT_INTERVAL_MS: String(HEARTBEAT_MS),
    VOUCHSAFE_DEAD_AFTER_MS: String(DEAD_AFTER_MS),
  }
  return { dataFolder: embedded.dataFolder, settings, close }
}
