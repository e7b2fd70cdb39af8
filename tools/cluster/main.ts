// npm run cluster -- up|down|status|start|stop|restart|kill|logs: a cluster of the service on this machine.
import { spawnSync } from 'node:child_process'
import { relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, InvalidArgumentError } from 'commander'
import { Failure } from '../../bootstrap/failure.mjs'
import { wholeNumber } from '../harness/whole-number.ts'
import { serversFile } from '../infra/servers-file.ts'
import type { ServerKind } from '../infra/jars.ts'
import { clusterIn } from './cluster.ts'
import { type Layout, paths, type Wanted } from './layout.ts'
import { nodeName, publicUrl } from './settings.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const NODES_MAX = 9
const PORT = 8_443
const FOLDER = '.cluster'

type UpFlags = {
  readonly nodes: number
  readonly cassandraNodes: number
  readonly port: number
  readonly attach: boolean
  readonly contactPoints?: string
  readonly brokers?: string
  readonly name: string
  readonly set: Readonly<Record<string, string>>
}

const node = wholeNumber(`It must be the number of a node, from 1 to ${NODES_MAX}.`, 1, NODES_MAX)
const nodes = (text: string, before: readonly number[] = []): readonly number[] => [...before, node(text)]

const setting = (text: string, before: Readonly<Record<string, string>>): Record<string, string> => {
  const [, name = '', value = ''] = /^([A-Z_]+)=(.*)$/.exec(text) ?? []
  if (name === '') throw new InvalidArgumentError('It must be NAME=VALUE.')
  return { ...before, [name]: value }
}

const program = new Command('cluster')
  .description('A cluster of the service on this machine, with a proxy that speaks TLS before it.')
  .option('--folder <folder>', 'where it keeps its data, keys and logs', FOLDER)

const folder = (): string => resolve(ROOT, program.opts<{ folder: string }>().folder)
const cluster = () => clusterIn(folder(), (line) => console.log(line))

/** Of the servers that `npm run infra -- up` has started from their jars, unless others are named. */
const attached = ({ contactPoints, brokers }: UpFlags) => {
  const started = (kind: ServerKind): string[] =>
    serversFile(resolve(ROOT, '.infra'))
      .of(kind)
      .map(({ endpoint }) => endpoint)
  const found = {
    are: 'attached',
    contactPoints: contactPoints?.split(',') ?? started('cassandra'),
    brokers: brokers?.split(',') ?? started('kafka'),
  } as const
  if (found.contactPoints.length > 0 && found.brokers.length > 0) return found
  throw new Failure(
    'There is nothing to attach to: npm run infra -- up --no-docker, or name --contact-points and --brokers.',
  )
}

const wantedOf = (flags: UpFlags): Wanted => ({
  nodes: flags.nodes,
  port: flags.port,
  engines: flags.attach ? attached(flags) : { are: 'own', cassandraNodes: flags.cassandraNodes },
  name: flags.name,
  more: flags.set,
})

const explain = (layout: Layout): string => {
  const nearby = relative(process.cwd(), folder())
  const { apiKey, authority } = paths(nearby.startsWith('..') ? folder() : nearby)
  const run =
    folder() === resolve(ROOT, FOLDER) ? 'npm run cluster --' : `npm run cluster -- --folder ${folder()}`
  const url = publicUrl(layout)
  return `
The cluster answers at ${url}; its certificate is by ${authority}.
The key of its first organisation is in ${apiKey}:

    curl --cacert ${authority} -H "Authorization: Bearer $(cat ${apiKey})" ${url}/v1/connections

Another organisation:    VOUCHSAFE_DATA_FOLDER=${paths(folder()).data(1)} npm run vouchsafe -- tenant create NAME
One node at a time:      ${run} restart
A credential through it: npm run demo -- --cluster ${folder()}
The end:                 ${run} down`
}

program
  .command('up')
  .description('starts what does not run yet, and says how to use it')
  .option('--nodes <count>', 'nodes of the service', node, 3)
  .option(
    '--cassandra-nodes <count>',
    'nodes of Cassandra, on 127.0.0.1 and the addresses after it',
    wholeNumber('1 to 3', 1, 3),
    1,
  )
  .option('--port <port>', 'of the proxy', wholeNumber('It must be a port from 1 to 65535.', 1, 65_535), PORT)
  .option('--attach', 'uses the Cassandra and the Kafka that run already, and leaves them running', false)
  .option('--contact-points <list>', 'of the Cassandra to attach to')
  .option('--brokers <list>', 'of the Kafka to attach to')
  .option('--name <name>', 'of the keyspace, and first part of the names of topics', 'vouchsafe')
  .option('--set <setting>', 'one more setting of every node, NAME=VALUE; may be repeated', setting, {})
  .action(async (flags: UpFlags) => console.log(explain(await cluster().up(wantedOf(flags)))))

program
  .command('down')
  .description('ends what was started here, and keeps the data')
  .option('--wipe', 'removes the data too', false)
  .action(({ wipe }: { wipe: boolean }) => cluster().down(wipe))

program
  .command('status')
  .description('tells what runs')
  .action(async () => {
    const { layout, programs, servers } = await cluster().status()
    if (layout === null) console.log('There is no cluster here yet: npm run cluster -- up')
    for (const { kind, endpoint, state } of servers) console.log(`${kind.padEnd(16)} ${endpoint}  ${state}`)
    for (const { name, pid, node: seen } of programs) {
      const place = pid === null ? 'does not run' : `process ${pid}`
      const use =
        seen === null
          ? ''
          : `  ${seen.isUp ? 'ready' : 'gets no requests'}, ${seen.open} open, ${seen.taken} taken, ${seen.lost} lost`
      console.log(`${name.padEnd(16)} ${place}${use}`)
    }
    if (layout === null || programs.some(({ pid }) => pid === null)) process.exitCode = 1
  })

program
  .command('start')
  .description('starts a node')
  .argument('<node>', 'its number', node)
  .action((number: number) => cluster().start(number))
program
  .command('stop')
  .description('ends a node in good order')
  .argument('<node>', 'its number', node)
  .action((number: number) => cluster().stop(number))
program
  .command('kill')
  .description('ends a node between any two of its instructions')
  .argument('<node>', 'its number', node)
  .action((number: number) => cluster().kill(number))
program
  .command('restart')
  .description('restarts nodes, one after the other; all of them where none is named')
  .argument('[nodes...]', 'their numbers', nodes)
  .action((numbers: readonly number[] = []) => cluster().restart(numbers))
program
  .command('logs')
  .description('shows the end of a log')
  .argument('<name>', 'number of a node, proxy or sandbox-ledger')
  .option('--follow', 'goes on as it grows', false)
  .action((name: string, { follow }: { follow: boolean }) => {
    const file = cluster().logFile(/^\d$/.test(name) ? nodeName({ number: Number(name) }) : name)
    spawnSync('tail', ['-n', '100', ...(follow ? ['-F'] : []), file], { stdio: 'inherit' })
  })

try {
  await program.parseAsync()
} catch (error) {
  if (!(error instanceof Failure)) throw error
  console.error(error.message)
  process.exitCode = 1
}
