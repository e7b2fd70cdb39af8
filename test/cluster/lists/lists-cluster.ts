import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { listsOfNode } from '../../../src/compose/cluster-lists.ts'
import type { ClusterListsSettings } from '../../../src/cluster/lists/ports.ts'
import { actorId, shardOfActor } from '../../../src/domain/references.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { AskFailed } from '../../../src/ports/actors.ts'
import type { DirectoryRow } from '../../../src/ports/directory.ts'
import type { TailPosition, TailRecord } from '../../../src/ports/journal.ts'
import { Random } from '../../../tools/simulate/random.ts'
import { query, row } from '../../directory/directory-rows.ts'
import { MemoryParking } from '../../host/parts/memory-parking.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { FakeNetwork } from './fake-link.ts'

type Lists = ReturnType<typeof listsOfNode>
type Commit = (shard: number, no: number) => void

export type ListsNode = {
  readonly name: string
  readonly file: string
  readonly opened: Map<number, number>
  hasLease: boolean
  isLiving: boolean
  lists: Lists | null
  committed: Commit
  asked: number
  joined: number
  /** Its actors answer when this resolves. */
  answered: Promise<void>
}

export const idOf = (shard: number, number: number): string =>
  actorId('cre', shard, number.toString(36).padStart(8, '0'))

type ListsClusterOptions = {
  readonly seed?: number
  readonly shards?: number
  readonly settings?: Partial<ClusterListsSettings>
  /** The first row of each record waits a second. */
  readonly firstRowsWait?: true
}

/** Three nodes and what they stand on: logs that everybody can read, records that only the owner can ask. */
export class ListsCluster {
  readonly shards: number
  readonly network: FakeNetwork
  readonly nodes: readonly ListsNode[]
  readonly truth = new Map<string, DirectoryRow>()
  readonly saved = new Map<number, TailPosition>()
  /** The first slot that each log has kept. */
  readonly kept = new Map<number, number>()
  readonly failures: unknown[] = []
  readonly #logs: { readonly actor: string; readonly epoch: number }[][]
  readonly #epochs: number[]
  readonly #settings: Partial<ClusterListsSettings>
  readonly #firstRowsWait: boolean

  constructor({ seed = 1, shards = 4, settings = {}, firstRowsWait }: ListsClusterOptions = {}) {
    this.shards = shards
    this.#firstRowsWait = firstRowsWait === true
    this.network = new FakeNetwork(new Random(seed))
    this.#settings = {
      gatherMs: 10,
      holdMs: 200,
      requestTimeoutMs: 2_000,
      peerMs: 300,
      patienceMs: 60_000,
      lookMs: 20,
      ...settings,
    }
    this.#logs = Array.from({ length: shards }, () => [])
    this.#epochs = Array.from({ length: shards }, () => 0)
    const folder = temporaryFolder('cluster-lists')
    this.nodes = ['a', 'b', 'c'].map((name) => ({
      name,
      file: join(folder, `${name}.sqlite`),
      opened: new Map(),
      hasLease: true,
      isLiving: true,
      lists: null,
      committed: () => undefined,
      asked: 0,
      joined: 0,
      answered: Promise.resolve(),
    }))
    for (const node of this.nodes) this.start(node)
    onTestFinished(() => this.close())
  }

  node(name: string): ListsNode {
    const found = this.nodes.find((node) => node.name === name)
    if (found === undefined) throw new RangeError(`no node ${name}`)
    return found
  }

  #livingBeside(node: ListsNode): readonly string[] {
    return this.nodes.filter((each) => each !== node && each.isLiving).map(({ name }) => name)
  }

  lists({ lists }: ListsNode): Lists['lists'] {
    if (lists === null) throw new Error('the node does not run')
    return lists.lists
  }

  start(node: ListsNode): void {
    node.isLiving = true
    node.hasLease = true
    node.joined += 1
    const cluster = {
      link: this.network.link(node.name),
      livingNodes: () => this.#livingBeside(node),
      readLivingNodes: async () => this.#livingBeside(node),
      epochOf: (shard: number) => node.opened.get(shard) ?? null,
      mayServe: () => node.hasLease,
      session: () => (node.hasLease ? `${node.name}~${node.joined}` : null),
      failed: (_: string, error: unknown) => void this.failures.push(error),
    }
    node.lists = listsOfNode(
      node.file,
      cluster,
      createRuntime(),
      {
        shards: this.shards,
        journal: {
          readTail: async (shard, from, limit) => this.#tail(shard, from, limit),
          firstKeptNo: async (shard) => this.kept.get(shard) ?? 0,
          savePosition: async (_reader, shard, position) => void this.saved.set(shard, position),
          onCommitted: (listener) => {
            node.committed = listener
            return () => undefined
          },
        },
        rowsOf: async (actor) => this.#rowsOf(node, actor),
        firstRowWaits: () => this.#firstRowsWait,
        parking: new MemoryParking(),
        actorsOf: (shard) => this.#actorsOf(shard),
        rebuilt: () => undefined,
        failed: (_, error) => void this.failures.push(error),
      },
      this.#settings,
    )
  }

  /** Gone without a word; its file stays. */
  async kill(node: ListsNode): Promise<void> {
    this.network.remove(node.name)
    node.opened.clear()
    const { lists } = node
    node.lists = null
    await lists?.projector[Symbol.asyncDispose]()
    await lists?.lists[Symbol.asyncDispose]()
    await lists?.directory[Symbol.asyncDispose]()
  }

  loseFile({ file }: ListsNode): void {
    for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => this.kill(node)))
  }

  /** Until it is mended, nothing goes between the node and any other. */
  cutOff({ name }: ListsNode, isCut = true): void {
    for (const other of this.nodes) {
      this.network.cut(name, other.name, isCut)
      this.network.cut(other.name, name, isCut)
    }
  }

  /** The next owner; the one before has let go, or is thought dead. */
  open(shard: number, owner: ListsNode): void {
    this.release(shard)
    const epoch = (this.#epochs[shard] ?? 0) + 1
    this.#epochs[shard] = epoch
    owner.opened.set(shard, epoch)
  }

  openAll(...owners: readonly ListsNode[]): void {
    for (let shard = 0; shard < this.shards; shard++) {
      const owner = owners[shard % owners.length]
      if (owner !== undefined) this.open(shard, owner)
    }
  }

  release(shard: number): void {
    for (const node of this.nodes) node.opened.delete(shard)
  }

  /** False while nobody owns the shard. */
  commit(id: string, more: Partial<DirectoryRow> = {}): boolean {
    const shard = shardOfActor(id)
    const owner = this.nodes.find(({ opened }) => opened.has(shard))
    const log = this.#logs[shard]
    if (owner === undefined || log === undefined) return false
    this.truth.set(id, row(id, { ...this.truth.get(id), ...more }))
    log.push({ actor: id, epoch: owner.opened.get(shard) ?? 0 })
    owner.committed(shard, log.length)
    return true
  }

  idsOn(node: ListsNode, tenant = 't1', pageSize = 10_000): Promise<readonly string[]> {
    return this.lists(node)
      .list(query({ tenant, pageSize }))
      .then(({ rows }) => rows.map(({ id }) => id))
  }

  /** What a node shows, and what it should: each record as it was changed last. */
  async shownBy(node: ListsNode): Promise<readonly string[]> {
    const { rows } = await this.lists(node).list(query({ pageSize: 10_000 }))
    return rows.map(textOf).toSorted()
  }

  shouldBeShown(): readonly string[] {
    return [...this.truth.values()].map(textOf).toSorted()
  }

  #tail(shard: number, from: TailPosition | null, limit: number): readonly TailRecord[] {
    const log = this.#logs[shard] ?? []
    const first = Math.max((from?.no ?? 0) + ((from?.index ?? 0) < 0 ? 0 : 1), this.kept.get(shard) ?? 0, 1)
    return log.slice(first - 1, first - 1 + limit).map(({ actor, epoch }, at) => ({
      no: first + at,
      index: 0,
      epoch,
      entry: { actor, seq: 1, commandId: null, events: [], timersSet: [], timersCleared: [] },
    }))
  }

  async #rowsOf(node: ListsNode, actor: string): Promise<readonly DirectoryRow[]> {
    node.asked += 1
    if (!node.opened.has(shardOfActor(actor))) throw new AskFailed('not_owner', 'elsewhere', 1)
    const found = this.truth.get(actor)
    // What was read before may come late.
    await node.answered
    return found === undefined ? [] : [found]
  }

  async *#actorsOf(shard: number): AsyncGenerator<string> {
    yield* [...this.truth.keys()].filter((id) => shardOfActor(id) === shard)
  }
}

const textOf = ({ id, updatedAtMs, searchText }: DirectoryRow): string => `${id} ${updatedAtMs} ${searchText}`
