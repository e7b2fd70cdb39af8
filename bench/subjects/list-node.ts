// A node of a cluster that has nothing but lists, in a process of its own: the production link, file, projector and lists
// over a log in memory, in which every node is told of every change.
import { clusterListsDefaults } from '../../src/cluster/lists/ports.ts'
import type { Peer } from '../../src/cluster/link/wire.ts'
import { listsOfNode } from '../../src/compose/cluster-lists.ts'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { AskFailed } from '../../src/ports/actors.ts'
import type { ListQuery } from '../../src/ports/directory.ts'
import type { Parking } from '../../src/ports/parking.ts'
import { benchLink } from './bench-link.ts'
import { BIG_TENANT, rowOf } from './directory.ts'

const COMPLETE_LIMIT_MS = 300_000
const LOOK_MS = 5
/** The files that nodes begin with have read the log up to here. */
const FILLED_NO = 1

/** The ids of these rows are longer than those of records. */
const shardIn = (id: string): number => Number.parseInt(id.slice(4, 6), 16)

type Node = ReturnType<typeof listsOfNode>
let node: Node | null = null
let living: readonly string[] = []
let committed: (shard: number, no: number) => void = () => undefined
let linked: ReturnType<typeof benchLink> | null = null
const opened = new Map<number, number>()
const logs = Array.from({ length: SHARD_COUNT }, () => [] as string[])

const query: ListQuery = {
  tenant: BIG_TENANT,
  kind: 'connection',
  page: 1,
  pageSize: 25,
  q: null,
  states: [],
  externalId: null,
  fromMs: null,
  toMs: null,
  filters: {},
}

/** The address of its link. */
export async function start(name: string, file: string, records: number): Promise<string> {
  const runtime = createRuntime()
  linked = benchLink(name, runtime)
  const { link } = linked
  const cluster = {
    link,
    livingNodes: () => living,
    readLivingNodes: async () => living,
    epochOf: (shard: number) => opened.get(shard) ?? null,
    mayServe: () => true,
    session: () => name,
    failed: () => undefined,
  }
  node = listsOfNode(file, cluster, runtime, followedLog(records), clusterListsDefaults)
  return linked.start()
}

const followedLog = (records: number): Parameters<typeof listsOfNode>[3] => ({
  shards: SHARD_COUNT,
  journal: {
    readTail: async (shard, from, limit) => {
      const first = Math.max(0, (from?.no ?? 0) - FILLED_NO)
      return (logs[shard] ?? []).slice(first, first + limit).map((actor, at) => ({
        no: FILLED_NO + first + at + 1,
        index: 0,
        epoch: 1,
        entry: { actor, seq: 1, commandId: null, events: [], timersSet: [], timersCleared: [] },
      }))
    },
    firstKeptNo: async () => 0,
    savePosition: async () => undefined,
    onCommitted: (listener) => {
      committed = listener
      return () => undefined
    },
  },
  rowsOf: async (actor) => {
    if (!opened.has(shardIn(actor))) throw new AskFailed('not_owner', 'served elsewhere', 100)
    return [rowOf(BIG_TENANT, Number(actor.slice(actor.indexOf(BIG_TENANT) + BIG_TENANT.length)), records)]
  },
  parking: nothingParked,
  actorsOf: async function* () {},
  rebuilt: () => undefined,
  failed: () => undefined,
})

const nothingParked: Parking = {
  isChangedBy: () => false,
  of: async () => [],
  park: async () => undefined,
  hold: async () => false,
  keep: async () => undefined,
  release: async () => undefined,
}

export async function connect(others: readonly Peer[]): Promise<void> {
  living = others.map(({ node: name }) => name)
  for (const other of others) await linked?.connect(other)
}

/** What the map says: who lives, and which shards are served here from now on. */
export function serve(nodes: readonly string[], shards: readonly number[], epoch: number): void {
  living = nodes
  for (const shard of shards) opened.set(shard, epoch)
}

/** New records, as every node's log has them; whoever owns them is told. */
export function commit(numbers: readonly number[], records: number): void {
  for (const number of numbers) {
    const { id } = rowOf(BIG_TENANT, number, records)
    const shard = shardIn(id)
    logs[shard]?.push(id)
    if (opened.has(shard)) committed(shard, FILLED_NO + (logs[shard]?.length ?? 0))
  }
}

/** Resolves when the lists have everything: the milliseconds that it took. */
export async function complete(total: number): Promise<number> {
  const { lists } = started()
  const startedMs = performance.now()
  await until(() => lists.isComplete())
  for (;;) {
    const page = await lists.list(query).catch(() => null)
    if (
      page?.total === total &&
      (await lists.caughtUp().then(
        () => true,
        () => false,
      ))
    )
      break
    if (performance.now() - startedMs > COMPLETE_LIMIT_MS)
      throw new Error(`${page?.total} of ${total} records`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return performance.now() - startedMs
}

/** How long first pages took, one after the other with a pause. */
export async function firstPages(pages: number, pauseMs: number): Promise<readonly number[]> {
  const { lists } = started()
  const took: number[] = []
  for (let page = 0; page < pages; page++) {
    const startedMs = performance.now()
    await lists.list(query)
    took.push(performance.now() - startedMs)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return took
}

const until = async (is: () => boolean): Promise<void> => {
  for (const endMs = performance.now() + COMPLETE_LIMIT_MS; !is(); ) {
    if (performance.now() > endMs) throw new Error('it takes too long')
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

const started = (): Node => {
  if (node === null) throw new Error('the node has not started')
  return node
}
