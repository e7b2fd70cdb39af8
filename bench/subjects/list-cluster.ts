// Lists of three nodes in processes of their own: what a first page takes, and the loss of a node.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leaseDefaults } from '../../src/cluster/lease.ts'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { type ModuleProcess, startProcess } from '../../tools/harness/module-process.ts'
import { percentile } from '../harness/statistics.ts'

type ListNode = ModuleProcess<typeof import('./list-node.ts')>
type Filler = typeof import('./list-replicas.ts')

const NODES = ['a', 'b', 'c'] as const
const CALL_LIMIT_MS = 600_000
/** Between two pages, so that each has to wait for what was committed meanwhile. */
const PAUSE_MS = 20
const FILLED_WITH_EPOCH = 1
/** Until the others see that it is dead, a node was dead for this time: the lease, and a look at it. */
const DEAD_MS = leaseDefaults.deadMs + leaseDefaults.watchMs

export type ListsOptions = {
  readonly records?: number
  /** First pages that are measured, on all nodes together. */
  readonly pages?: number
  /** Records that are added in a second meanwhile. */
  readonly changesPerS?: number
  /** Where the files go; one of its own that is removed afterwards. */
  readonly folder?: string
  readonly progress?: (text: string) => void
}

export type ListsFigures = {
  /** The 99th percentile. */
  readonly firstPageMs: number
  readonly firstPageP50Ms: number
  /** From the kill until the lists of both other nodes have all records, the lease of the dead one included. */
  readonly recoveryS: number
  readonly recoveryAfterLeaseS: number
}

/** One million records of one organisation over three nodes, while records are added. */
export const measureLists = async (options: ListsOptions = {}): Promise<ListsFigures> => {
  const { records = 1_000_000, pages = 600, changesPerS = 50, progress = () => undefined } = options
  const folder = mkdtempSync(join(options.folder ?? tmpdir(), 'vouchsafe-lists-'))
  const nodes = new Map<string, ListNode>()
  try {
    progress(`files of ${records} records`)
    await fillFiles(folder, records)
    for (const name of NODES) nodes.set(name, await started(new URL('./list-node.ts', import.meta.url)))
    await joinAll(nodes, folder, records)
    const adding = add(nodes, records, changesPerS)
    try {
      progress('first pages')
      const took = await firstPages(nodes, pages)
      progress('the loss of a node')
      const recovery = await lose(nodes, () => adding.stop())
      return { firstPageMs: percentile(took, 99), firstPageP50Ms: percentile(took, 50), ...recovery }
    } finally {
      adding.stop()
      await adding.told()
    }
  } finally {
    for (const node of nodes.values()) await node[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  }
}

const started = <Module>(file: URL): Promise<ModuleProcess<Module>> =>
  startProcess<Module>(file, { callTimeoutMs: CALL_LIMIT_MS })

const fileOf = (folder: string, name: string): string => join(folder, `${name}.sqlite`)

const fillFiles = async (folder: string, records: number): Promise<void> => {
  const filler = await started<Filler>(new URL('./list-replicas.ts', import.meta.url))
  const [first, ...others] = NODES
  await filler.call('fillOwner', fileOf(folder, first), records)
  await filler[Symbol.asyncDispose]()
  for (const name of others) copyFileSync(fileOf(folder, first), fileOf(folder, name))
}

const othersOf = (name: string, nodes: readonly string[]): readonly string[] =>
  nodes.filter((other) => other !== name)

const shardsOf = (at: number, of: number): readonly number[] =>
  Array.from({ length: SHARD_COUNT }, (_, shard) => shard).filter((shard) => shard % of === at)

const joinAll = async (
  nodes: ReadonlyMap<string, ListNode>,
  folder: string,
  records: number,
): Promise<void> => {
  const peers: { readonly node: string; readonly address: string }[] = []
  for (const [name, node] of nodes)
    peers.push({ node: name, address: (await node.call('start', name, fileOf(folder, name), records)).value })
  await Promise.all(
    [...nodes].map(([name, node]) =>
      node.call(
        'connect',
        peers.filter((peer) => peer.node !== name),
      ),
    ),
  )
  await Promise.all(
    [...nodes].map(([name, node], at) =>
      node.call('serve', othersOf(name, NODES), shardsOf(at, NODES.length), FILLED_WITH_EPOCH + 1),
    ),
  )
  await Promise.all([...nodes.values()].map((node) => node.call('complete', records)))
}

/** New records, some every tenth of a second, as the logs of all nodes have them. */
const add = (nodes: ReadonlyMap<string, ListNode>, records: number, perS: number) => {
  let added = 0
  let told: Promise<unknown> = Promise.resolve()
  const some = (): void => {
    const numbers = Array.from({ length: Math.ceil(perS / 10) }, (_, at) => records + added + at)
    added += numbers.length
    told = Promise.allSettled([
      told,
      ...[...nodes.values()].map((node) => node.call('commit', numbers, records)),
    ])
  }
  const timer = setInterval(some, 100)
  return {
    /** The last ones are committed as the node dies. */
    stop: (): number => {
      clearInterval(timer)
      some()
      return records + added
    },
    told: (): Promise<unknown> => told,
  }
}

const firstPages = async (
  nodes: ReadonlyMap<string, ListNode>,
  pages: number,
): Promise<readonly number[]> => {
  const each = Math.ceil(pages / nodes.size)
  const took = await Promise.all([...nodes.values()].map((node) => node.call('firstPages', each, PAUSE_MS)))
  return took.flatMap(({ value }) => value)
}

const lose = async (nodes: ReadonlyMap<string, ListNode>, stopAdding: () => number) => {
  const [lost, ...left] = ['c', 'a', 'b'] as const
  const total = stopAdding()
  const killedMs = performance.now()
  nodes.get(lost)?.kill()
  await new Promise((resolve) => setTimeout(resolve, DEAD_MS))
  const overMs = performance.now()
  const orphans = shardsOf(NODES.indexOf(lost), NODES.length)
  const survivors = left.flatMap((name) => nodes.get(name) ?? [])
  await Promise.all(
    survivors.map((node, at) => {
      const shards = orphans.filter((_, index) => index % left.length === at)
      return node.call('serve', othersOf(left[at] ?? '', left), shards, FILLED_WITH_EPOCH + 2)
    }),
  )
  await Promise.all(survivors.map((node) => node.call('complete', total)))
  const nowMs = performance.now()
  return { recoveryS: (nowMs - killedMs) / 1_000, recoveryAfterLeaseS: (nowMs - overMs) / 1_000 }
}
