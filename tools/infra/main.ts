// npm run infra -- up|down|status|logs [cassandra|kafka]: a real Cassandra and a real Kafka for development and tests.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Argument, Command, Option } from 'commander'
import { Failure } from '../../bootstrap/failure.mjs'
import {
  createMasterKeyFile,
  newMasterKey,
  readMasterKeyFile,
} from '../../src/persistence/vault/master-key-file.ts'
import { makeClusterSecret } from '../harness/cluster-secret.ts'
import { wholeNumber } from '../harness/whole-number.ts'
import { dockerServers, dockerWorks } from './docker-servers.ts'
import type { Endpoint, Infrastructure, UpOptions } from './infrastructure.ts'
import type { ServerKind } from './jars.ts'
import { localServers } from './local-servers.ts'
import { serversFile } from './servers-file.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = fileURLToPath(new URL('../../.infra', import.meta.url))
const KINDS: readonly ServerKind[] = ['cassandra', 'kafka']

type Kind = ServerKind | undefined
type Flags = UpOptions & { readonly docker: boolean; readonly wipe: boolean; readonly follow: boolean }

/** The flags before they are converted: commander leaves a choice as text. */
type Typed = Omit<Flags, 'nodes'> & { readonly nodes: string }

const port = wholeNumber('It must be a port from 1 to 65535.', 1, 65_535)

/** Servers started from jars are looked after as such, whatever engine has come to this machine since. */
const choose = ({ docker, nodes = 1 }: Partial<Flags>): Infrastructure => {
  const started = KINDS.some((kind) => serversFile(folder).of(kind).length > 0)
  return docker !== false && nodes === 1 && !started && dockerWorks()
    ? dockerServers(root)
    : localServers(folder)
}

const kindsOf = (kind: Kind): readonly ServerKind[] => (kind === undefined ? KINDS : [kind])

/** Nodes share their master key, so none makes up one of its own; this one goes with the data of these servers. */
const masterKeyFile = (): string => {
  const file = join(folder, 'vault.key')
  if (readMasterKeyFile(file) === null) createMasterKeyFile(file, newMasterKey())
  return file
}

const settingsFor = (endpoints: readonly Endpoint[]): string[] => {
  const list = (wanted: ServerKind) =>
    endpoints.filter(({ kind }) => kind === wanted).map(({ endpoint }) => endpoint)
  const [cassandra, kafka] = [list('cassandra'), list('kafka')]
  return [
    ...(cassandra.length > 0
      ? [
          'VOUCHSAFE_JOURNAL=cassandra',
          `VOUCHSAFE_CASSANDRA_CONTACT_POINTS=${cassandra.join(',')}`,
          `VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR=${cassandra.length}`,
          `VOUCHSAFE_VAULT_KEY_FILE=${masterKeyFile()}`,
          `VOUCHSAFE_CLUSTER_SECRET_FILE=${makeClusterSecret(join(folder, 'cluster.secret'))}`,
        ]
      : []),
    ...(kafka.length > 0 ? ['VOUCHSAFE_STREAM=kafka', `VOUCHSAFE_KAFKA_BROKERS=${kafka.join(',')}`] : []),
  ]
}

const up = async (kind: Kind, flags: Flags): Promise<void> => {
  const begun = performance.now()
  const endpoints = await choose(flags).up(kindsOf(kind), flags)
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1)
  for (const { kind: name, endpoint } of endpoints) console.log(`${name.padEnd(10)} ${endpoint}  healthy`)
  console.log(`\nReady after ${seconds} s. To run the service on them:\n${settingsFor(endpoints).join('\n')}`)
  if (endpoints.some(({ kind: name }) => name === 'cassandra'))
    console.log('and once, with these settings: npm run vouchsafe -- migrate')
}

const status = async (kind: Kind, flags: Flags): Promise<void> => {
  const servers = await choose(flags).status(kindsOf(kind))
  for (const { kind: name, endpoint, state, detail } of servers) {
    console.log(`${name.padEnd(10)} ${endpoint}  ${state}  (${detail})`)
  }
  if (servers.length === 0) console.log('Nothing is running: npm run infra -- up')
  if (servers.length === 0 || servers.some(({ state }) => state !== 'healthy')) process.exitCode = 1
}

const command = (program: Command, name: string, description: string): Command =>
  program
    .command(name)
    .description(description)
    .addArgument(new Argument('[server]', 'one of the two; both when left out').choices(KINDS))
    .option('--no-docker', 'use the jars even where a Docker engine answers')

const program = new Command('infra').description('A real Cassandra and a real Kafka on this machine.')
command(program, 'up', 'starts the servers, or says where they are')
  .addOption(
    new Option('--nodes <count>', 'nodes of Cassandra, on 127.0.0.1 and the addresses after it')
      .choices(['1', '2', '3'])
      .default('1'),
  )
  .option('--cql-port <port>', 'port of Cassandra', port, 19_042)
  .option('--kafka-port <port>', 'port of Kafka', port, 19_092)
  .addOption(
    new Option('--commit-log-sync <mode>', 'batch survives a power cut, periodic is faster')
      .choices(['batch', 'periodic'])
      .default('batch'),
  )
  .action((kind: Kind, flags: Typed) => up(kind, { ...flags, nodes: Number(flags.nodes) }))
command(program, 'down', 'stops the servers and keeps their data')
  .option('--wipe', 'removes the data too', false)
  .action((kind: Kind, flags: Flags) => choose(flags).down(kindsOf(kind), flags.wipe))
command(program, 'status', 'asks each server whether it answers').action(status)
command(program, 'logs', 'shows the end of the logs')
  .option('--follow', 'goes on as they grow', false)
  .action((kind: Kind, flags: Flags) => choose(flags).logs(kindsOf(kind), flags.follow))

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof Failure)) throw error
  console.error(error.message)
  process.exitCode = 1
}
