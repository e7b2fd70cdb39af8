import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '../../src/config/config.ts'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'
import { startSeparatePool } from '../../src/ledger/sandbox/separate-pool.ts'
import { Lifecycle } from '../../src/lifecycle.ts'
import { migrateCassandra } from '../../src/persistence/cassandra/migrate.ts'
import {
  type EngineSettings,
  cassandraSettings,
  engineSettings,
} from '../../src/persistence/engine-settings.ts'
import { createMasterKeyFile, newMasterKey } from '../../src/persistence/vault/master-key-file.ts'
import { type Cassandra, startCassandra } from '../infra/cassandra.ts'
import { startKafka } from '../infra/kafka.ts'
import { linkSettings } from './cluster-secret.ts'
import { Restarting } from './restarting.ts'
import { startService } from './service.ts'

const KEYSPACE = 'campaign'
const LEDGER_PORTS = 4

/** The folder and the servers on which service processes run; they stay while those are killed. */
export class Place implements AsyncDisposable {
  readonly folder: string
  readonly dataFolder: string
  /** The settings of the service, as environment variables. */
  readonly settings: Record<string, string>
  servers: Cassandra | null = null
  readonly #lifecycle = new Lifecycle()

  constructor(parent = tmpdir()) {
    this.folder = mkdtempSync(join(parent, 'vouchsafe-place-'))
    this.dataFolder = join(this.folder, 'data')
    this.settings = { VOUCHSAFE_DATA_FOLDER: this.dataFolder }
    mkdirSync(this.dataFolder)
    this.add('folder', async () => rmSync(this.folder, { recursive: true, force: true }))
  }

  get engine(): EngineSettings {
    return engineSettings(loadConfig(this.settings))
  }

  /** What is closed before everything that was opened earlier. */
  add(name: string, close: () => PromiseLike<unknown>): void {
    this.#lifecycle.add(name, async () => void (await close()))
  }

  /** SQLite needs nothing but the folder. */
  async addEngine(engine: 'sqlite' | 'cassandra', nodes: number): Promise<void> {
    if (engine === 'cassandra') await this.addCassandra({ nodes })
  }

  /** The ledger that `npm start` brings with it, and that is killed with the service. */
  async addOwnLedger(): Promise<void> {
    this.settings['VOUCHSAFE_SANDBOX_PORT'] = String(await reservePorts(LEDGER_PORTS))
  }

  /** A ledger that belongs to others, as an Indy network does: it is not killed with the service. */
  async addLedger(): Promise<void> {
    const ledger = await startSeparatePool({
      folder: join(this.folder, 'ledger'),
      host: '127.0.0.1',
      firstPort: 0,
      onBug: (name) => {
        throw new Error(`the ledger met a bug: ${name}`)
      },
    })
    this.add('ledger', () => ledger[Symbol.asyncDispose]())
    const genesisFile = join(this.folder, 'genesis.txn')
    const seedFile = join(this.folder, 'endorser.seed')
    writeFileSync(genesisFile, ledger.genesis)
    writeFileSync(seedFile, ledger.endorserSeed.toString('hex'), { mode: 0o600 })
    Object.assign(this.settings, {
      VOUCHSAFE_LEDGER: 'indy',
      VOUCHSAFE_LEDGER_NAMESPACE: 'sandbox',
      VOUCHSAFE_LEDGER_GENESIS_FILE: genesisFile,
      VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE: seedFile,
    })
  }

  /** A Cassandra that acknowledges only what is on disk. */
  async addCassandra(options: { readonly nodes: number; readonly dataDir?: string }): Promise<void> {
    const cassandra = await startCassandra({ ...options, commitLogSync: 'batch', heapMegabytes: 512 })
    this.add('cassandra', () => cassandra.stop())
    this.servers = cassandra
    const keyFile = join(this.folder, 'vault.key')
    createMasterKeyFile(keyFile, newMasterKey())
    Object.assign(this.settings, {
      VOUCHSAFE_VAULT_KEY_FILE: keyFile,
      ...linkSettings(keyFile),
      VOUCHSAFE_JOURNAL: 'cassandra',
      VOUCHSAFE_CASSANDRA_CONTACT_POINTS: cassandra.contactPoints.join(','),
      VOUCHSAFE_CASSANDRA_LOCAL_DATACENTER: cassandra.localDatacenter,
      VOUCHSAFE_CASSANDRA_KEYSPACE: KEYSPACE,
      VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR: String(options.nodes),
    })
    const settings = cassandraSettings(loadConfig(this.settings).cassandra)
    await migrateCassandra({ ...settings, requestTimeoutMs: 10_000 })
  }

  /** A Kafka of one broker, and a cluster that believes a killed node dead soon. */
  async addKafka(options: { readonly dataDir?: string } = {}): Promise<void> {
    const kafka = await startKafka(options)
    this.add('kafka', () => kafka.stop())
    Object.assign(this.settings, {
      VOUCHSAFE_STREAM: 'kafka',
      VOUCHSAFE_KAFKA_BROKERS: kafka.brokers.join(','),
      VOUCHSAFE_KAFKA_TOPIC_PREFIX: KEYSPACE,
      VOUCHSAFE_NODE_NAME: 'node-1',
      VOUCHSAFE_HEARTBEAT_INTERVAL_MS: '500',
      VOUCHSAFE_DEAD_AFTER_MS: '2500',
    })
  }

  /** The service on a port that stays, started again whenever it was killed; ready when this resolves. */
  async startService(more: Readonly<Record<string, string>> = {}, script?: string) {
    const port = await reservePorts(1)
    const service = new Restarting({
      open: () => startService({ ...this.settings, ...more, PORT: String(port) }, script),
      ready: (program) => program.untilListening(),
    })
    this.add('service', () => service.stop())
    service.start()
    await service.untilReady()
    return { service, url: `http://127.0.0.1:${port}` }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const failures: Error[] = []
    await this.#lifecycle.end((name, cause) => failures.push(new Error(`${name} was not closed`, { cause })))
    if (failures.length > 0) throw new AggregateError(failures, 'a place was not closed')
  }
}

/** Opens a place, adds to it, works on it, and closes it however that ends. */
export const onPlace = async <Result>(
  add: (place: Place) => Promise<unknown>,
  work: (place: Place) => Promise<Result>,
  parent?: string,
): Promise<Result> => {
  const place = new Place(parent)
  try {
    await add(place)
    return await work(place)
  } finally {
    await place[Symbol.asyncDispose]()
  }
}
