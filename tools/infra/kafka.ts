import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Kafka as KafkaClient, logLevel } from 'kafkajs'
import { Failure } from '../../bootstrap/failure.mjs'
import { classPath } from './jars.ts'
import { findJava } from './java.ts'
import { portsOf } from '../harness/ports.ts'
import { isFree } from '../../src/ledger/sandbox/reserved-ports.ts'
import { Server, startServers } from './server-process.ts'
import { type ServerSecurity, tlsOptions, writeStores } from './server-security.ts'

export type KafkaOptions = {
  /** Kept when named; without it a temporary folder, removed at the end. */
  readonly dataDir?: string
  readonly port?: number
  readonly security?: ServerSecurity
}

const START_LIMIT_MS = 120_000
/** Each partition has two indexes that are made in their whole size; of this size they are enough for 128 MB of its log. */
const INDEX_BYTES_MAX = 256 << 10

const properties = (
  dataDir: string,
  port: number,
  controllerPort: number,
): string => `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
controller.listener.names=CONTROLLER
log.dirs=${join(dataDir, 'data')}
log.index.size.max.bytes=${INDEX_BYTES_MAX}
offsets.topic.replication.factor=1
offsets.topic.num.partitions=10
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
broker.session.timeout.ms=3000
broker.heartbeat.interval.ms=500
`

/** The broker speaks with itself in clear, on a port of which only it knows. */
const secured = (
  dataDir: string,
  ports: { readonly port: number; readonly internal: number; readonly controller: number },
  security: ServerSecurity,
): string => {
  const { keyStore, trustStore } = writeStores(dataDir, security)
  const { username, password } = security
  const modules = 'org.apache.kafka.common.security'
  return `listeners=INTERNAL://127.0.0.1:${ports.internal},CLIENT://127.0.0.1:${ports.port},CONTROLLER://127.0.0.1:${ports.controller}
advertised.listeners=INTERNAL://127.0.0.1:${ports.internal},CLIENT://127.0.0.1:${ports.port}
listener.security.protocol.map=INTERNAL:PLAINTEXT,CLIENT:SASL_SSL,CONTROLLER:PLAINTEXT
inter.broker.listener.name=INTERNAL
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-512
listener.name.client.plain.sasl.jaas.config=${modules}.plain.PlainLoginModule required user_${username}="${password}";
listener.name.client.scram-sha-512.sasl.jaas.config=${modules}.scram.ScramLoginModule required;
listener.name.client.ssl.client.auth=required
ssl.keystore.type=PEM
ssl.keystore.location=${keyStore}
ssl.truststore.type=PEM
ssl.truststore.location=${trustStore}
`
}

const LOG4J = `log4j.rootLogger=INFO, stdout
log4j.appender.stdout=org.apache.log4j.ConsoleAppender
log4j.appender.stdout.layout=org.apache.log4j.PatternLayout
log4j.appender.stdout.layout.ConversionPattern=%-5p %d{ISO8601} %c{1} %m%n
`

/** A real Kafka broker that is its own controller, answering when this resolves. */
export const startKafka = async (options: KafkaOptions = {}) => {
  const make = async (dataDir: string) => [await makeBroker(dataDir, options)]
  const servers = await startServers('kafka', options.dataDir, make)
  return { ...servers, brokers: servers.nodes.map(({ endpoint }) => endpoint) }
}

export type Kafka = Awaited<ReturnType<typeof startKafka>>

const makeBroker = async (dataDir: string, { port: wanted, security }: KafkaOptions): Promise<Server> => {
  const {
    port = 0,
    controller = 0,
    internal = 0,
  } = await portsOf(dataDir, {
    port: wanted,
    controller: undefined,
    ...(security && { internal: undefined }),
  })
  const endpoint = `127.0.0.1:${port}`
  if (!(await isFree('127.0.0.1', port)))
    throw new Failure(`${endpoint} is taken: choose another with --kafka-port.`)
  const java = await findJava()
  // Of a property that is there twice the later one holds.
  const more = security === undefined ? '' : secured(dataDir, { port, internal, controller }, security)
  const settings = properties(dataDir, port, controller) + more
  const launch = [java, ...(await prepare(dataDir, java, settings, security))]
  return new Server({
    name: 'Kafka',
    endpoint,
    folder: dataDir,
    logName: 'kafka.log',
    limitMs: START_LIMIT_MS,
    launch: () => launch,
    answers: () => answersKafka(endpoint, security),
  })
}

/** Writes the configuration, formats a new data folder, and answers the arguments Java runs the broker with. */
const prepare = async (
  dataDir: string,
  java: string,
  settings: string,
  security: ServerSecurity | undefined,
): Promise<string[]> => {
  const temporary = join(dataDir, 'tmp')
  mkdirSync(temporary, { recursive: true })
  const file = join(dataDir, 'server.properties')
  const logging = join(dataDir, 'log4j.properties')
  writeFileSync(file, settings)
  writeFileSync(logging, LOG4J)
  const common = [
    `-Djava.io.tmpdir=${temporary}`,
    `-Dlog4j.configuration=file:${logging}`,
    '-cp',
    (await classPath('kafka')).join(':'),
  ]
  if (!existsSync(join(dataDir, 'data', 'meta.properties'))) {
    const format = ['kafka.tools.StorageTool', 'format', '-t', clusterId(), '-c', file]
    if (security !== undefined)
      format.push('-S', `SCRAM-SHA-512=[name=${security.username},password=${security.password}]`)
    await promisify(execFile)(java, ['-Xmx128m', ...common, ...format])
  }
  return ['-Xms512m', '-Xmx512m', ...common, 'kafka.Kafka', file]
}

/** An id that begins with a dash would be taken for an option: one start in sixty-four would fail. */
export const clusterId = (random: () => Buffer = () => randomBytes(16)): string => {
  const id = random().toString('base64url')
  return id.startsWith('-') ? clusterId(random) : id
}

/** True once the broker has registered itself and takes part in its cluster. */
export const answersKafka = async (broker: string, security?: ServerSecurity): Promise<boolean> => {
  const admin = new KafkaClient({
    brokers: [broker],
    logLevel: logLevel.NOTHING,
    connectionTimeout: 1_000,
    requestTimeout: 3_000,
    retry: { retries: 0 },
    ...(security && {
      ssl: tlsOptions(security),
      sasl: { mechanism: 'plain', username: security.username, password: security.password },
    }),
  }).admin()
  try {
    await admin.connect()
    return (await admin.describeCluster()).brokers.length > 0
  } catch {
    return false
  } finally {
    await admin.disconnect()
  }
}
