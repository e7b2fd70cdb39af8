import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'cassandra-driver'
import { Kafka, logLevel } from 'kafkajs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createMasterKeyFile, newMasterKey } from '../../src/persistence/vault/master-key-file.ts'
import { type Cassandra, LOCAL_DATACENTER, startCassandra } from '../../tools/infra/cassandra.ts'
import { classPath } from '../../tools/infra/jars.ts'
import { localServers } from '../../tools/infra/local-servers.ts'
import { portsOf } from '../../tools/harness/ports.ts'
import { isRunning, signalProcess } from '../../tools/infra/server-process.ts'
import { serversFile } from '../../tools/infra/servers-file.ts'
import { eventually } from '../eventually.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = temporaryFolder('vouchsafe-infra')
const servers = localServers(folder)
const KINDS = ['cassandra', 'kafka'] as const
let cassandraEndpoint = ''
let kafkaEndpoint = ''

const withClient = async <Result>(
  contactPoint: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> => {
  const client = new Client({ contactPoints: [contactPoint], localDataCenter: LOCAL_DATACENTER })
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.shutdown()
  }
}

beforeAll(async () => {
  const { cqlPort = 0, kafkaPort = 0 } = await portsOf(folder, { cqlPort: undefined, kafkaPort: undefined })
  const up = await servers.up(KINDS, { nodes: 1, cqlPort, kafkaPort, commitLogSync: 'batch' })
  ;[cassandraEndpoint, kafkaEndpoint] = up.map(({ endpoint }) => endpoint) as [string, string]
}, 600_000)

afterAll(async () => {
  await servers.down(KINDS, true)
})

describe('infra up', () => {
  it('gives a Cassandra 5 that syncs before it acknowledges and has the second Paxos', async () => {
    const settings = await withClient(cassandraEndpoint, async (client) => {
      const version = await client.execute('SELECT release_version FROM system.local')
      const rows = await client.execute(
        "SELECT name, value FROM system_views.settings WHERE name IN ('commitlog_sync', 'paxos_variant')",
      )
      return [
        version.first().get('release_version'),
        ...rows.rows.map((row) => String(row.get('value'))),
      ] as string[]
    })
    expect(settings).toEqual(['5.0.9', 'batch', 'v2'])
  })

  it('gives a Kafka that keeps what it was sent', async () => {
    const kafka = new Kafka({ brokers: [kafkaEndpoint], logLevel: logLevel.NOTHING })
    const [producer, consumer, admin] = [
      kafka.producer(),
      kafka.consumer({ groupId: 'readers' }),
      kafka.admin(),
    ]
    const seen: string[] = []
    await Promise.all([producer.connect(), consumer.connect(), admin.connect()])
    await admin.createTopics({ topics: [{ topic: 'words', numPartitions: 1 }], waitForLeaders: false })
    // The broker may not lead the new topic yet, and the library fails at once on that.
    await eventually(() => producer.send({ topic: 'words', acks: -1, messages: [{ value: 'kept' }] }))
    await consumer.subscribe({ topic: 'words', fromBeginning: true })
    await consumer.run({ eachMessage: async ({ message }) => void seen.push(String(message.value)) })
    await eventually(() => expect(seen).toEqual(['kept']))
    await Promise.all([producer.disconnect(), consumer.disconnect(), admin.disconnect()])
  })

  it('finds running servers and starts nothing twice', async () => {
    const before = KINDS.flatMap((kind) => serversFile(folder).of(kind))
    await servers.up(KINDS, { nodes: 1, cqlPort: 1, kafkaPort: 2, commitLogSync: 'batch' })
    expect(KINDS.flatMap((kind) => serversFile(folder).of(kind))).toEqual(before)
  })

  it('is what the doctor reports as healthy', async () => {
    const keyFile = join(folder, 'vault.key')
    createMasterKeyFile(keyFile, newMasterKey())
    const environment = {
      ...process.env,
      PORT: '0',
      VOUCHSAFE_PRIVATE_PORT: '0',
      VOUCHSAFE_DATA_FOLDER: join(folder, 'data'),
      VOUCHSAFE_VAULT_KEY_FILE: keyFile,
      VOUCHSAFE_JOURNAL: 'cassandra',
      VOUCHSAFE_CASSANDRA_CONTACT_POINTS: cassandraEndpoint,
      VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR: '1',
      VOUCHSAFE_STREAM: 'kafka',
      VOUCHSAFE_KAFKA_BROKERS: kafkaEndpoint,
    }
    const root = fileURLToPath(new URL('../..', import.meta.url))
    const doctor = [join(root, 'bootstrap', 'run.mjs'), 'src/cli.ts', 'doctor']
    const { stdout } = await promisify(execFile)(process.execPath, doctor, { env: environment, cwd: folder })
    expect(stdout).toMatch(/^ok +cassandra/m)
    expect(stdout).toMatch(/^ok +kafka/m)
    expect(stdout).not.toMatch(/^FAIL/m)
  })
})

describe('infra status', () => {
  it('tells a server that answers from one that is frozen', async () => {
    const [kafka] = serversFile(folder).of('kafka')
    if (kafka === undefined) throw new Error('Kafka is not in the file')
    expect((await servers.status(KINDS)).map(({ state }) => state)).toEqual(['healthy', 'healthy'])
    signalProcess(kafka, 'SIGSTOP')
    expect((await servers.status(['kafka'])).map(({ state }) => state)).toEqual(['does not answer'])
    signalProcess(kafka, 'SIGCONT')
  })
})

describe('infra down', () => {
  it('ends every process and leaves the data', async () => {
    const running = KINDS.flatMap((kind) => serversFile(folder).of(kind))
    expect(running.filter(isRunning)).toHaveLength(2)
    await servers.down(KINDS, false)
    expect(running.filter(isRunning)).toEqual([])
    expect(await servers.status(KINDS)).toEqual([])
    expect(existsSync(join(folder, 'kafka', 'data'))).toBe(true)
  })
})

describe('a Cassandra started by a test', () => {
  let cassandra: Cassandra
  beforeAll(async () => {
    cassandra = await startCassandra()
  })
  afterAll(() => cassandra.stop())

  it('has what it acknowledged after a power cut', async () => {
    const [node] = cassandra.nodes
    if (node === undefined) throw new Error('no node')
    await withClient(node.endpoint, async (client) => {
      await client.execute(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
      )
      await client.execute('CREATE TABLE k.t (id int PRIMARY KEY)')
      await client.execute('INSERT INTO k.t (id) VALUES (7)')
    })
    await node.kill()
    expect(node.isRunning()).toBe(false)
    await node.start()
    const found = await withClient(node.endpoint, (client) => client.execute('SELECT id FROM k.t'))
    expect(found.rows.map((row) => Number(row.get('id')))).toEqual([7])
  })
})

describe('the jars', () => {
  it('are fetched from the named repository when they are missing or damaged, and refused when they are others', async () => {
    const jars = await classPath('kafka')
    const cache = join(dirname(jars[0] ?? ''), '').split('/jars/')[0] ?? ''
    const own = join(folder, 'cache')
    for (const jar of jars) {
      const copy = jar.replace(cache, own)
      mkdirSync(dirname(copy), { recursive: true })
      copyFileSync(jar, copy)
    }
    const [damaged = ''] = jars
    const asked: string[] = []
    const repository = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end(readFileSync(damaged))
    })
    await new Promise<void>((resolve) => repository.listen(0, '127.0.0.1', resolve))
    const address = repository.address()
    const mirror = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/maven/`
    vi.stubEnv('VOUCHSAFE_CACHE_FOLDER', own)
    try {
      const copy = damaged.replace(cache, own)
      writeFileSync(copy, 'half a jar')
      await classPath('kafka', mirror)
      expect(asked).toEqual([copy.replace(join(own, 'jars'), '/maven')])
      expect(readFileSync(copy)).toEqual(readFileSync(damaged))
      rmSync((jars[1] ?? '').replace(cache, own))
      await expect(classPath('kafka', mirror)).rejects.toThrow(
        /has another SHA-256 than the one in tools\/infra\/jars\.json/,
      )
    } finally {
      vi.unstubAllEnvs()
      repository.close()
    }
  })
})
