import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { Lifecycle } from '../../../src/lifecycle.ts'
import { clusterIn } from '../../cluster/cluster.ts'
import { existingLayout, paths, type Wanted as ClusterWanted } from '../../cluster/layout.ts'
import { processesOf } from '../../cluster/processes.ts'
import { HOST, nodeName } from '../../cluster/settings.ts'
import { startCassandra } from '../../infra/cassandra.ts'
import { untilFound } from '../../harness/waiting.ts'
import { startKafka } from '../../infra/kafka.ts'
import { dialerOf } from './dialer.ts'
import { type Links, openLinks } from './links.ts'
import { serviceNodes } from './nodes.ts'
import { NAMES_BEGIN_WITH, type NodeAddress } from './taken-back.ts'
import { Wiretap } from './wiretap.ts'

const HEAP_MEGABYTES = 512
/** Three nodes of Cassandra on one machine with everything else are late now and then, which is no outage. */
const ANSWER_LIMIT_MS = 8_000
const UP_LIMIT_MS = 600_000
const AGAIN_MS = 1_000
const MINUTE_MS = 60_000
const CLOCK = new URL('./shifted-clock.ts', import.meta.url).href
const NAME = 'campaign'
/** Names in offers, and how what has them is spelled where it is in clear. */
const SECRET_TEXTS = [NAMES_BEGIN_WITH, '"Holder ', '"expiresAt"', '"attributes"']

/** What the load of a campaign and a machine that does everything at once need beside the settings of any cluster. */
const settings = {
  VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '1000000',
  VOUCHSAFE_SESSION_REQUESTS_PER_MINUTE: '1000000',
  VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS: '10000',
  VOUCHSAFE_VAULT_TIMEOUT_MS: '10000',
  VOUCHSAFE_PROBE_TIMEOUT_MS: '10000',
  VOUCHSAFE_DRAIN_TIMEOUT_MS: '50000',
  VOUCHSAFE_CRYPTO_WORKERS: '1',
}

type Wanted = {
  readonly nodes: number
  readonly cassandra: number
  /** Between the first node's clock, which is behind, and the last one's. */
  readonly 'clock-minutes': number
}

/** Three programs that are one service, their stores, the proxy before them, and relays on every way between them. */
export const openWorld = async (
  { nodes: count, cassandra: servers, 'clock-minutes': minutes }: Wanted,
  say: (line: string) => void,
) => {
  const lifecycle = new Lifecycle()
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-campaign-'))
  const close = async (): Promise<void> => {
    const failures: unknown[] = []
    await lifecycle.end((_, cause) => failures.push(cause))
    if (failures.length > 0) throw new AggregateError(failures, 'a campaign left something behind')
  }
  lifecycle.add('folder', async () => rmSync(folder, { recursive: true, force: true }))
  try {
    const cassandra = await startCassandra({
      nodes: servers,
      dataDir: join(folder, 'cassandra'),
      commitLogSync: 'batch',
      heapMegabytes: HEAP_MEGABYTES,
      answerLimitMs: ANSWER_LIMIT_MS,
    })
    lifecycle.add('cassandra', () => cassandra.stop())
    say(`${servers} nodes of Cassandra answer`)
    const kafka = await startKafka({ dataDir: join(folder, 'kafka') })
    lifecycle.add('kafka', () => kafka.stop())
    const home = join(folder, 'cluster')
    const numbers = Array.from({ length: count }, (_, index) => index + 1)
    const relayPorts = new Map<number, number>()
    for (const number of numbers) relayPorts.set(number, await reservePorts(1))
    const wiretap = new Wiretap(SECRET_TEXTS)
    const links = await relays(home, relayPorts, wiretap)
    lifecycle.add('relays', () => links.close())
    const cluster = clusterIn(home, say)
    lifecycle.add('cluster', () => cluster.down(false))
    endWithThisProcess(home)
    const wanted = {
      nodes: count,
      port: await reservePorts(1),
      engines: { are: 'attached', contactPoints: cassandra.contactPoints, brokers: kafka.brokers },
      name: NAME,
      more: settings,
      ofNode: Object.fromEntries(
        numbers.map((number) => [
          number,
          ofNode(relayPorts.get(number) ?? 0, shiftOf(number, count, minutes)),
        ]),
      ),
    } satisfies ClusterWanted
    /** As whoever keeps it running does: a store that is late at a start is no reason to have no cluster. */
    const up = () =>
      cluster.up(wanted).catch((error: unknown) => {
        say(error instanceof Error ? error.message : String(error))
        return null
      })
    const otherwise = () => new Error('the cluster could not be started')
    await untilFound(up, { limitMs: UP_LIMIT_MS, everyMs: AGAIN_MS, otherwise })
    const nodes = serviceNodes(home, say)
    /** For whoever looks for the cause of a problem. */
    const keepLogs = (into: string): void => {
      for (const number of nodes.all)
        cpSync(nodes.logFile(number), join(into, `${nodeName({ number })}.log`), { recursive: true })
    }
    const there = { folder: home, place: cluster.place(), cassandra, kafka, links, wiretap, nodes }
    return { ...there, addresses: addressesIn(home), keepLogs, close }
  } catch (error) {
    await close()
    throw error
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** Of the nodes themselves, past the proxy. */
const addressesIn = (home: string): readonly NodeAddress[] =>
  existingLayout(home).nodes.map(({ number, port }) => {
    return { number, url: `http://${HOST}:${port}`, dataFolder: paths(home).data(number) }
  })

/** Evenly between the one that is furthest behind and the one that is furthest ahead. */
const shiftOf = (number: number, count: number, minutes: number): number =>
  count < 2 ? 0 : Math.round(((number - 1) / (count - 1) - 0.5) * minutes * MINUTE_MS)

const ofNode = (relayPort: number, shiftMs: number) => ({
  VOUCHSAFE_LINK_ADDRESS: `${HOST}:${relayPort}`,
  NODE_OPTIONS: `--import=${CLOCK}`,
  CLOCK_SHIFT_MS: String(shiftMs),
})

const relays = (home: string, ports: ReadonlyMap<number, number>, wiretap: Wiretap): Promise<Links> => {
  const processes = processesOf(home)
  const places = [...ports].map(([number, port]) => ({
    node: nodeName({ number }),
    port,
    // Which it is stands in the layout that is made when the cluster starts.
    linkPort: () => existingLayout(home).nodes.find((node) => node.number === number)?.linkPort ?? 0,
  }))
  const pids = (): ReadonlyMap<string, number> =>
    new Map(
      places.flatMap(({ node }) => {
        const pid = processes.running(node)?.pid
        return pid === undefined ? [] : [[node, pid] as const]
      }),
    )
  return openLinks(places, (fromPort, toPort) => dialerOf(fromPort, toPort, pids()), wiretap)
}

/** Programs of a cluster outlive the command that starts them; those of a campaign that is broken off do not. */
const endWithThisProcess = (home: string): void => {
  const processes = processesOf(home)
  process.once('exit', () => {
    for (const name of processes.names()) processes.signal(name, 'SIGKILL')
  })
}
