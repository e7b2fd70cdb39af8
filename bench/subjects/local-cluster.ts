import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { callService } from '../../src/cli/service-call.ts'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { clusterIn } from '../../tools/cluster/cluster.ts'
import { existingLayout, paths, type Wanted } from '../../tools/cluster/layout.ts'
import { nodeName, publicUrl } from '../../tools/cluster/settings.ts'
import { type GiveOrder, ordersBy } from '../../tools/harness/orders.ts'
import { untilFound } from '../../tools/harness/waiting.ts'
import { serversFile } from '../../tools/infra/servers-file.ts'
import { mainThreadCpuMs, usageOf } from '../harness/process-usage.ts'
import { untilShown } from './published-definition.ts'

type NodeShown = {
  readonly id: string
  readonly status: string
  readonly part: string | null
  readonly shards: number
  readonly shardsToCome: number
}
/** By the labels of the metric. */
export type Counts = ReadonlyMap<string, number>

type ShardShown = { readonly number: number; readonly owner: string | null; readonly moving: boolean }

const START_LIMIT_MS = 180_000
const LOOK_EVERY_MS = 250
/** Looks in which nothing moves, before moves count as over. */
const STILL_LOOKS = 8
/** A node has its share from half of the mean on: shards are shared out by load, and most of these have next to none. */
const SHARE_MIN = 0.5

/** A cluster on this machine, started as an operator starts it, with an organisation of its own. */
export const openLocalCluster = async (folder: string, wanted: Wanted) => {
  const cluster = clusterIn(folder)
  await cluster.up(wanted)
  try {
    return await startedIn(folder, cluster, wanted)
  } catch (error) {
    await cluster.down(true)
    throw error
  }
}

type Cluster = ReturnType<typeof clusterIn>

const startedIn = async (folder: string, cluster: Cluster, wanted: Wanted) => {
  const order = ordersBy(callService(paths(folder).data(1)))
  const organisation = await newOrganisation(order)
  const nodeProcesses = await nodeProcessesOf(folder, cluster)
  return {
    ...organisation,
    ...shownBy(order),
    ...nodeProcesses.usage,
    ...placesIn(folder),
    cluster,
    order,
    counts: (metric: string): Promise<Counts> => countsIn(folder, metric),
    /** Of the stores that this cluster has started, which others may use as well. */
    stores: storesIn(folder),
    start: async (): Promise<void> => {
      await cluster.up(wanted)
      await nodeProcesses.look()
    },
    startNode: async (number: number): Promise<void> => {
      await cluster.start(number)
      await nodeProcesses.look()
    },
    [Symbol.asyncDispose]: (): Promise<void> => cluster.down(true),
  }
}

export type LocalCluster = Awaited<ReturnType<typeof openLocalCluster>>

/** The nodes as their operator sees them. */
const shownBy = (order: GiveOrder) => {
  const nodes = async (): Promise<readonly NodeShown[]> =>
    (await order('nodes', {}))['items'] as readonly NodeShown[]
  const shards = async (): Promise<readonly ShardShown[]> =>
    (await order('shards list', {}))['items'] as readonly ShardShown[]
  /** Resolves when these nodes share all shards and none has moved for a while. */
  const settled = (numbers: readonly number[]): Promise<true> => {
    const names = numbers.map((number) => nodeName({ number }))
    let [last, still] = ['', 0]
    const look = async (): Promise<true | null> => {
      const shown = await nodes().catch(() => [])
      const taking = shown.filter(({ id }) => names.includes(id))
      const all = taking.reduce((sum, each) => sum + each.shards, 0)
      const text = taking.map((each) => `${each.id} ${each.shards}`).join()
      const isShared = taking.every(
        (each) => each.shardsToCome === 0 && each.shards >= (SHARD_COUNT / names.length) * SHARE_MIN,
      )
      still = isShared && all === SHARD_COUNT && text === last ? still + 1 : 0
      last = text
      return still >= STILL_LOOKS ? true : null
    }
    const otherwise = (): Error => new Error(`the shards were not shared out: ${last}`)
    return untilFound(look, { limitMs: START_LIMIT_MS, everyMs: LOOK_EVERY_MS, otherwise })
  }
  return { nodes, shards, settled }
}

const nodeProcessesOf = async (folder: string, cluster: Cluster) => {
  const pids = new Map<number, number>()
  const look = async (): Promise<void> => {
    const { programs } = await cluster.status()
    for (const { number } of existingLayout(folder).nodes) {
      const pid = programs.find(({ name }) => name === nodeName({ number }))?.pid
      if (pid === null || pid === undefined) pids.delete(number)
      else pids.set(number, pid)
    }
  }
  await look()
  const usage = {
    pid: (number: number): number => {
      const pid = pids.get(number)
      if (pid === undefined) throw new Error(`node ${number} does not run`)
      return pid
    },
    /** Processor time of the nodes by themselves, all their threads. */
    cpuMs: (): number => [...pids.values()].reduce((sum, pid) => sum + usageOf(pid).cpuMs, 0),
    /** The part of it that one thread of each node must do: what a node can do at the most. */
    mainThreadCpuMs: (): number => [...pids.values()].reduce((sum, pid) => sum + mainThreadCpuMs(pid), 0),
  }
  return { look, usage }
}

const placesIn = (folder: string) => ({
  url: publicUrl(existingLayout(folder)),
  /** Where one node takes requests, past the proxy. */
  nodeUrl: (number: number): string =>
    `http://127.0.0.1:${existingLayout(folder).nodes[number - 1]?.port ?? 0}`,
  /** For callers in processes of their own, who believe in the proxy's certificate then. */
  trust: { NODE_EXTRA_CA_CERTS: paths(folder).authority },
  genesis: (): string => readFileSync(join(paths(folder).ledger, 'genesis.txn'), 'utf8'),
  lists: (number: number): string => join(paths(folder).data(number), 'directory.sqlite'),
})

const storesIn = (folder: string) => ({
  cpuMs: (kind: 'cassandra' | 'kafka'): number =>
    serversFile(paths(folder).servers)
      .of(kind)
      .reduce((sum, { pid }) => sum + usageOf(pid).cpuMs, 0),
  /** What the topics whose names begin so have in their logs. */
  topicBytes: (prefix: string): number => topicBytesIn(join(paths(folder).servers, 'kafka', 'data'), prefix),
})

/** A counter of all nodes, by its labels. */
const countsIn = async (folder: string, metric: string): Promise<Counts> => {
  const sums = new Map<string, number>()
  for (const { privatePort } of existingLayout(folder).nodes)
    for (const [labels, count] of await countsAt(privatePort, metric))
      sums.set(labels, (sums.get(labels) ?? 0) + count)
  return sums
}

const countsAt = async (
  privatePort: number,
  metric: string,
): Promise<readonly (readonly [string, number])[]> => {
  const text = await (await fetch(`http://127.0.0.1:${privatePort}/metrics`)).text()
  return text.split('\n').flatMap((line) => {
    const [name = '', count] = line.split(' ')
    const [only, labels = ''] = name.split('{')
    return only === metric ? [[labels, Number(count)] as const] : []
  })
}

const topicBytesIn = (data: string, prefix: string): number =>
  readdirSync(data)
    .filter((folder) => folder.startsWith(`${prefix}.`))
    .flatMap((folder) => readdirSync(join(data, folder)).map((file) => join(data, folder, file)))
    .filter((file) => file.endsWith('.log'))
    .reduce((sum, file) => sum + statSync(file).size, 0)

/** A cluster answers for every record some seconds after its nodes are ready. */
const newOrganisation = async (
  order: GiveOrder,
): Promise<{ readonly tenant: string; readonly key: string }> => {
  let last: unknown
  const made = async (): Promise<{ readonly tenant: string } | null> => {
    try {
      return { tenant: String((await order('tenant create', { name: 'Bench' }))['id']) }
    } catch (error) {
      last = error
      return null
    }
  }
  const otherwise = (): Error => new Error('no organisation could be made', { cause: last })
  const { tenant } = await untilFound(made, { limitMs: START_LIMIT_MS, everyMs: 1_000, otherwise })
  await untilShown(order, 'tenant show', { id: tenant, tenant }, ({ registered }) => registered === true)
  const key = String((await order('key create', { tenant, label: 'bench' }))['key'])
  return { tenant, key }
}
