import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../bootstrap/failure.mjs'
import { reservePorts } from '../../src/ledger/sandbox/reserved-ports.ts'

export type NodePlace = {
  readonly number: number
  readonly port: number
  readonly privatePort: number
  /** Where the other nodes reach it. */
  readonly linkPort: number
}

/** What `up` was asked for, with the ports it chose; kept, so that the same nodes come back on the same data. */
export type Layout = {
  readonly nodes: readonly NodePlace[]
  readonly proxyPort: number
  readonly statusPort: number
  /** The first of four. */
  readonly ledgerPort: number
  readonly engines: Engines
  /** The keyspace in Cassandra, and the first part of the names of topics. */
  readonly name: string
  readonly replicationFactor: number
  /** Settings of the service beside those of the table in `settings.ts`. */
  readonly more: Readonly<Record<string, string>>
  /** What single nodes have beside them, by their numbers. */
  readonly ofNode?: Readonly<Record<number, Readonly<Record<string, string>>>>
}

/** Cassandra and Kafka from their jars, or those that run already and are left alone. */
export type Engines =
  | {
      readonly are: 'own'
      readonly cassandraNodes: number
      readonly cqlPort: number
      readonly kafkaPort: number
    }
  | {
      readonly are: 'attached'
      readonly contactPoints: readonly string[]
      readonly brokers: readonly string[]
    }

export type Wanted = {
  readonly nodes: number
  readonly port: number
  readonly engines: { readonly are: 'own'; readonly cassandraNodes: number } | (Engines & { are: 'attached' })
  readonly name: string
  readonly more: Readonly<Record<string, string>>
  readonly ofNode?: NonNullable<Layout['ofNode']>
}

const LEDGER_PORTS = 4
const COPIES_MAX = 3

export const paths = (folder: string) => ({
  layout: join(folder, 'cluster.json'),
  processes: join(folder, 'processes.json'),
  lock: join(folder, 'lock'),
  servers: join(folder, 'servers'),
  vaultKey: join(folder, 'secrets', 'vault.key'),
  clusterSecret: join(folder, 'secrets', 'cluster.secret'),
  apiKey: join(folder, 'secrets', 'api.key'),
  authority: join(folder, 'ca.crt'),
  proxySettings: join(folder, 'secrets', 'proxy.json'),
  ledgerData: join(folder, 'ledger-data'),
  ledger: join(folder, 'ledger'),
  home: (name: string) => join(folder, name),
  data: (node: number) => join(folder, `node-${node}`, 'data'),
})

export const readLayout = (folder: string): Layout | null => {
  const file = paths(folder).layout
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Layout) : null
}

export const existingLayout = (folder: string): Layout => {
  const layout = readLayout(folder)
  if (layout === null) throw new Failure('There is no cluster here yet: npm run cluster -- up')
  return layout
}

/** Ports stay with the data; what was not there before gets new ones. */
export const makeLayout = async (folder: string, wanted: Wanted): Promise<Layout> => {
  const before = readLayout(folder)
  if (before !== null) refuseOtherData(before, wanted)
  const places = Array.from({ length: wanted.nodes }, async (_, index): Promise<NodePlace> => {
    const known = before?.nodes[index]
    if (known !== undefined) return known
    const [port, privatePort, linkPort] = [
      await reservePorts(1),
      await reservePorts(1),
      await reservePorts(1),
    ]
    return { number: index + 1, port, privatePort, linkPort }
  })
  const layout: Layout = {
    nodes: await Promise.all(places),
    proxyPort: wanted.port,
    statusPort: before?.statusPort ?? (await reservePorts(1)),
    ledgerPort: before?.ledgerPort ?? (await reservePorts(LEDGER_PORTS)),
    engines: await enginesOf(wanted, before?.engines),
    name: wanted.name,
    replicationFactor: copiesOf(wanted),
    more: wanted.more,
    ...(wanted.ofNode && { ofNode: wanted.ofNode }),
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { layout: file } = paths(folder)
  writeFileSync(`${file}.part`, JSON.stringify(layout, null, 2))
  renameSync(`${file}.part`, file)
  return layout
}

const copiesOf = ({ engines }: Wanted): number =>
  Math.min(COPIES_MAX, engines.are === 'own' ? engines.cassandraNodes : engines.contactPoints.length)

const enginesOf = async ({ engines }: Wanted, before: Engines | undefined): Promise<Engines> => {
  if (engines.are === 'attached') return engines
  if (before?.are === 'own') return before
  return { ...engines, cqlPort: await reservePorts(1), kafkaPort: await reservePorts(1) }
}

/** The keys of the nodes and what they seal belong together, so a cluster does not change its stores. */
const refuseOtherData = (before: Layout, { engines, name }: Wanted): void => {
  const { engines: had } = before
  const same =
    had.are === engines.are &&
    before.name === name &&
    (had.are === 'attached' || engines.are === 'attached' || had.cassandraNodes === engines.cassandraNodes)
  if (!same)
    throw new Failure(
      'The cluster that is here has other stores: start it with the options it was made with, or remove it first (npm run cluster -- down --wipe).',
    )
}
