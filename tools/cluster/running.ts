import { Failure } from '../../bootstrap/failure.mjs'
import { Program } from '../harness/program.ts'
import { untilFound } from '../harness/waiting.ts'
import { localServers } from '../infra/local-servers.ts'
import { makeFirstKey } from './first-key.ts'
import { type Layout, type NodePlace, paths } from './layout.ts'
import { processesOf } from './processes.ts'
import { askProxy, LEDGER, ledgerProgram, nodeProgram, PROXY, proxyProgram } from './programs.ts'
import { environmentOf, nodeName, sharedSettings } from './settings.ts'

const SERVERS = ['cassandra', 'kafka'] as const
const SEEN_LIMIT_MS = 60_000

export type Say = (line: string) => void

/** Everything that runs in a cluster, started and stopped in its order. */
export const runningIn = (folder: string, say: Say) => {
  const processes = processesOf(folder)
  const servers = localServers(paths(folder).servers)

  const startServers = async ({ engines }: Layout): Promise<void> => {
    if (engines.are === 'attached') return
    const { cassandraNodes: nodes, cqlPort, kafkaPort } = engines
    await servers.up(SERVERS, { nodes, cqlPort, kafkaPort, commitLogSync: 'batch' })
    say('Cassandra and Kafka answer.')
  }

  const migrate = async (layout: Layout): Promise<void> => {
    const env = environmentOf(sharedSettings(folder, layout))
    const command = ['src/cli.ts', 'migrate']
    const { code, stdout, stderr } = await new Program(command, { env, keepsOutput: true }).finished
    if (code !== 0) throw new Failure(`vouchsafe migrate failed: ${stderr.trim()}`)
    say(`${stderr}${stdout}`.trim())
  }

  /** The proxy sends them requests from now on. */
  const untilSeen = async (layout: Layout, nodes: readonly NodePlace[]): Promise<void> => {
    const names = nodes.map(nodeName)
    const look = async (): Promise<boolean> => {
      const status = await askProxy(layout)
      return names.every((name) => status?.nodes.find((node) => node.name === name)?.isUp === true)
    }
    const otherwise = () => new Failure(`The proxy does not see that ${names.join(', ')} can be asked.`)
    await untilFound(look, { limitMs: SEEN_LIMIT_MS, everyMs: 100, otherwise })
  }

  const startNodes = async (layout: Layout, nodes: readonly NodePlace[]): Promise<void> => {
    await Promise.all(nodes.map((node) => processes.start(nodeProgram(folder, layout, node))))
    if (processes.running(PROXY) !== null) await untilSeen(layout, nodes)
  }

  const nodesRunning = (): readonly string[] =>
    processes.names().filter((name) => name !== PROXY && name !== LEDGER)
  const stopNodes = async (names: readonly string[]): Promise<void> => {
    await Promise.all(names.map((name) => processes.stop(name)))
  }

  const startAll = async (layout: Layout): Promise<void> => {
    // A proxy that runs already hears of new nodes before they are ready, and of those that go before they end.
    processes.signal(PROXY, 'SIGHUP')
    const begun = [startServers(layout), processes.start(ledgerProgram(folder, layout))]
    // What fails is reported when the other has started, and can be stopped.
    await Promise.allSettled(begun)
    await Promise.all(begun)
    await migrate(layout)
    await startNodes(layout, layout.nodes)
    say(`${layout.nodes.length} nodes are ready.`)
    await processes.start(proxyProgram(folder, layout))
    await untilSeen(layout, layout.nodes)
    await stopNodes(nodesRunning().filter((name) => !layout.nodes.map(nodeName).includes(name)))
    await makeFirstKey(folder, layout)
  }

  const stopAll = async (): Promise<void> => {
    await processes.stop(PROXY)
    await stopNodes(nodesRunning())
    await processes.stop(LEDGER)
    await servers.down(SERVERS, false)
  }

  return { processes, startNodes, startAll, stopAll, servers: () => servers.status(SERVERS) }
}
