import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { withLock } from '../../bootstrap/lock.mjs'
import { Failure } from '../../bootstrap/failure.mjs'
import { isFree } from '../../src/ledger/sandbox/reserved-ports.ts'
import { Program } from '../harness/program.ts'
import { untilFound } from '../harness/waiting.ts'
import { localServers } from '../infra/local-servers.ts'
import { makeFirstKey } from './first-key.ts'
import {
  existingLayout,
  type Layout,
  makeLayout,
  type NodePlace,
  paths,
  readLayout,
  type Wanted,
} from './layout.ts'
import { processesOf } from './processes.ts'
import { askProxy, LEDGER, ledgerProgram, nodeProgram, PROXY, proxyProgram } from './programs.ts'
import { makeSecrets } from './secrets.ts'
import { environmentOf, HOST, nodeName, publicUrl, sharedSettings } from './settings.ts'

const SERVERS = ['cassandra', 'kafka'] as const
const SEEN_LIMIT_MS = 30_000

export type Say = (line: string) => void

/** A cluster on this machine, in a folder of its own. Each command may come from another process. */
export const clusterIn = (folder: string, say: Say = () => undefined) => {
  const processes = processesOf(folder)
  const servers = localServers(paths(folder).servers)
  const alone = <Result>(work: () => Promise<Result>): Promise<Result> => {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return withLock(paths(folder).lock, work, () =>
      say('Another command is at this cluster; waiting for it …'),
    )
  }

  const startServers = async ({ engines }: Layout): Promise<void> => {
    if (engines.are === 'attached') return
    const { cassandraNodes: nodes, cqlPort, kafkaPort } = engines
    await servers.up(SERVERS, { nodes, cqlPort, kafkaPort, commitLogSync: 'batch' })
    say('Cassandra and Kafka answer.')
  }

  const migrate = async (layout: Layout): Promise<void> => {
    const env = environmentOf(sharedSettings(folder, layout))
    const { code, stdout, stderr } = await new Program(['src/cli.ts', 'migrate'], { env, keepsOutput: true })
      .finished
    if (code !== 0) throw new Failure(`vouchsafe migrate failed: ${stderr.trim()}`)
    say(stdout.trim())
  }

  /** The proxy sends it requests from now on. */
  const untilSeen = async (layout: Layout, nodes: readonly NodePlace[]): Promise<void> => {
    const names = nodes.map(nodeName)
    const look = async (): Promise<boolean> => {
      const status = await askProxy(layout)
      return names.every((name) => status?.nodes.find((node) => node.name === name)?.isUp === true)
    }
    const otherwise = () => new Failure(`The proxy does not see ${names.join(', ')}.`)
    await untilFound(look, { limitMs: SEEN_LIMIT_MS, everyMs: 100, otherwise })
  }

  const startNodes = async (layout: Layout, nodes: readonly NodePlace[]): Promise<void> => {
    await Promise.all(nodes.map((node) => processes.start(nodeProgram(folder, layout, node))))
    if (processes.running(PROXY) !== null) await untilSeen(layout, nodes)
  }

  const stopAll = async (): Promise<void> => {
    const nodes = processes.names().filter((name) => name !== PROXY && name !== LEDGER)
    await processes.stop(PROXY)
    await Promise.all(nodes.map((name) => processes.stop(name)))
    await processes.stop(LEDGER)
    await servers.down(SERVERS, false)
  }

  const startAll = async (layout: Layout): Promise<void> => {
    await Promise.all([startServers(layout), processes.start(ledgerProgram(folder, layout))])
    await migrate(layout)
    await startNodes(layout, layout.nodes)
    say(`${layout.nodes.length} nodes are ready.`)
    await processes.start(proxyProgram(folder, layout))
    await untilSeen(layout, layout.nodes)
    await makeFirstKey(folder, layout)
  }

  const up = async (wanted: Wanted): Promise<Layout> => {
    if (processes.running(PROXY) === null && !(await isFree(HOST, wanted.port)))
      throw new Failure(`${HOST}:${wanted.port} is taken: choose another with --port.`)
    const layout = await makeLayout(folder, wanted)
    makeSecrets(folder, layout)
    try {
      await startAll(layout)
      return layout
    } catch (error) {
      // What has begun does not stay half begun; the logs and the data do.
      await stopAll()
      throw error
    }
  }

  const nodeOf = (number: number): { readonly layout: Layout; readonly node: NodePlace } => {
    const layout = existingLayout(folder)
    const node = layout.nodes.find((each) => each.number === number)
    if (node === undefined) throw new Failure(`This cluster has nodes 1 to ${layout.nodes.length}.`)
    return { layout, node }
  }

  const start = async (number: number): Promise<void> => {
    const { layout, node } = nodeOf(number)
    await startNodes(layout, [node])
  }
  const stop = (number: number): Promise<void> => processes.stop(nodeName(nodeOf(number).node))

  return {
    up: (wanted: Wanted) => alone(() => up(wanted)),
    down: (wipe: boolean) =>
      alone(async () => {
        await stopAll()
        if (wipe) wipeData(folder)
      }),
    start: (number: number) => alone(() => start(number)),
    /** Lets the node finish what it has begun. */
    stop: (number: number) => alone(() => stop(number)),
    kill: (number: number) => alone(() => processes.kill(nodeName(nodeOf(number).node))),
    /** One after the other, each only when the one before takes requests again. */
    restart: (numbers: readonly number[]) =>
      alone(async () => {
        const all = numbers.length > 0 ? numbers : existingLayout(folder).nodes.map(({ number }) => number)
        for (const number of all) {
          await stop(number)
          await start(number)
          say(`${nodeName({ number })} is ready again.`)
        }
      }),
    status: async () => {
      const layout = readLayout(folder)
      const seen = layout === null ? null : await askProxy(layout)
      const names = layout === null ? [] : [LEDGER, ...layout.nodes.map(nodeName), PROXY]
      const own = names.map((name) => {
        const pid = processes.running(name)?.pid ?? null
        return { name, pid, node: seen?.nodes.find((node) => node.name === name) ?? null }
      })
      return { layout, programs: own, servers: await servers.status(SERVERS) }
    },
    logFile: (name: string): string => processes.logFile(name),
    url: (): string => publicUrl(existingLayout(folder)),
    /** What whoever calls the proxy has to trust. */
    authority: (): string => readFileSync(paths(folder).authority, 'utf8'),
    apiKey: (): string => readFileSync(paths(folder).apiKey, 'utf8').trim(),
  }
}

export type Cluster = ReturnType<typeof clusterIn>

/** Only a folder that a cluster has made is removed, whatever the option named. */
const wipeData = (folder: string): void => {
  if (existsSync(paths(folder).layout)) rmSync(folder, { recursive: true, force: true })
}
