import { listsOver } from '../../../src/compose/cluster-lists.ts'
import type { ClusterLists } from '../../../src/cluster/lists/cluster-lists.ts'
import type { ClusterListsSettings } from '../../../src/cluster/lists/ports.ts'
import type { SqliteDirectory } from '../../../src/directory/sqlite-directory.ts'
import { fnv1a } from '../../../src/domain/fnv1a.ts'
import { shardDigits } from '../../../src/domain/references.ts'
import { AskFailed } from '../../../src/ports/actors.ts'
import type { DirectoryRow } from '../../../src/ports/directory.ts'
import type { NodeLink } from '../../../src/ports/node-link.ts'
import type { Parking } from '../../../src/ports/parking.ts'
import { instead } from '../instead.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import { Violation, type World } from '../world.ts'
import type { ListsTruth } from './lists-truth.ts'
import type { ListsVariant } from './lists-variants.ts'
import { threadOf } from './virtual-file.ts'

const RENEW_MS = 1_600
/** A node trusts its lease for less time than the others wait for it. */
const VALID_MS = 7_000
const STORE_MS = 20
const SLOW_ACTOR_MS = 3_000

export type ListsNodeParts = {
  readonly world: World
  readonly truth: ListsTruth
  readonly settings: Partial<ClusterListsSettings>
  readonly variant: ListsVariant
}

/** One process: the production lists, projector and file, over actors and leases that are looked up. */
export class ListsNode {
  readonly name: string
  readonly process: SimulatedProcess
  readonly file: SqliteDirectory
  readonly lists: ClusterLists
  readonly startedMs: number
  readonly #parts: ListsNodeParts
  readonly #opened = new Map<number, number>()
  #committed: (shard: number, no: number) => void = () => undefined
  #renewedMs = Number.NEGATIVE_INFINITY
  #others: readonly string[] = []
  #session: string | null = null

  constructor(
    parts: ListsNodeParts,
    name: string,
    process: SimulatedProcess,
    file: SqliteDirectory,
    link: Pick<NodeLink, 'handle' | 'request'>,
  ) {
    const { world, variant, settings } = parts
    this.#parts = parts
    this.name = name
    this.process = process
    this.file = file
    this.startedMs = world.nowMs
    const thread = threadOf(file, process, world)
    const cluster = {
      link: instead(link, variant.link?.(link)),
      livingNodes: () => this.#others,
      readLivingNodes: async () => {
        await this.#storeAnswers()
        return this.#livingOthers()
      },
      epochOf: (shard: number) => this.#opened.get(shard) ?? null,
      mayServe: () => this.mayServe(),
      session: () => this.#session,
      failed: (node: string, error: unknown) =>
        world.note(() => `${name} could not ask ${node}: ${String(error)}`),
    }
    const { lists } = listsOver(
      { ...thread, replicas: instead(thread.replicas, variant.file?.(thread.replicas, file)) },
      instead(cluster, variant.cluster?.(cluster)),
      process.runtime,
      this.#followed(),
      { ...settings, ...variant.settings },
    )
    this.lists = lists
    void this.#keepLease()
  }

  mayServe(): boolean {
    return this.process.alive && this.process.runtime.monotonicMs() - this.#renewedMs < VALID_MS
  }

  serves(shard: number): boolean {
    const owner = this.#parts.truth.owners.get(shard)
    return this.mayServe() && owner?.process === this.process && this.#opened.get(shard) === owner.epoch
  }

  open(shard: number): void {
    const { truth, world } = this.#parts
    if (!this.mayServe()) return
    const epoch = truth.own(shard, this.process)
    world.note(() => `${this.name} opens ${shard} with epoch ${epoch}`)
    this.#opened.set(shard, epoch)
  }

  release(shard: number): void {
    this.#parts.world.note(() => `${this.name} lets go of ${shard}`)
    this.#opened.delete(shard)
    this.#parts.truth.owners.delete(shard)
  }

  committed(shard: number, no: number): void {
    this.#committed(shard, no)
  }

  #livingOthers(): readonly string[] {
    return this.#parts.truth.living().filter((other) => other !== this.name)
  }

  #storeAnswers(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { world } = this.#parts
    world.at(world.random.next() * STORE_MS, this.process, resolve)
    return promise
  }

  async #keepLease(): Promise<void> {
    const { truth } = this.#parts
    for (;;) {
      const beganMs = this.process.runtime.monotonicMs()
      if (!truth.renew(this.name, this.process)) {
        this.#opened.clear()
        this.#session = this.#parts.world.newId()
      }
      this.#renewedMs = beganMs
      this.#others = this.#livingOthers()
      await this.process.runtime.sleep(RENEW_MS)
    }
  }

  #followed(): Parameters<typeof listsOver>[3] {
    const { world, truth } = this.#parts
    return {
      shards: truth.shards,
      journal: {
        readTail: async (shard, from, limit) => {
          await this.#storeAnswers()
          return truth.tail(shard, from, limit)
        },
        firstKeptNo: async (shard) => truth.firstKeptNo(shard),
        savePosition: async (_reader, shard, { no }) => truth.forget(shard, no),
        onCommitted: (listener) => {
          this.#committed = listener
          return () => undefined
        },
      },
      rowsOf: (actor) => this.#rowsOf(actor),
      // Of half of them, and here every entry counts as the first.
      firstRowWaits: (actor) => fnv1a(actor) % 2 === 0,
      parking: NOTHING_PARKED,
      actorsOf: (shard) => this.#actorsOf(shard),
      rebuilt: (shard, records) => world.note(() => `${this.name} made ${records} rows of ${shard} anew`),
      failed: (shard, error) => world.note(() => `${this.name} is behind with ${shard}: ${String(error)}`),
    }
  }

  /** What an actor has said may be on its way for long. */
  async #rowsOf(actor: string): Promise<readonly DirectoryRow[]> {
    const { world, truth } = this.#parts
    if (!this.serves(shardDigits(actor))) throw new AskFailed('not_owner', 'served elsewhere', 100)
    const row = truth.rows.get(actor)
    if (world.random.chance(0.05)) await this.process.runtime.sleep(world.random.next() * SLOW_ACTOR_MS)
    else await this.#storeAnswers()
    return row === undefined ? [] : [row]
  }

  async *#actorsOf(shard: number): AsyncGenerator<string> {
    for (const actor of this.#parts.truth.actorsOf(shard)) {
      await this.#storeAnswers()
      yield actor
    }
  }
}

const never = (): never => {
  throw new Violation('every record of this world can be read')
}

const NOTHING_PARKED: Parking = {
  isChangedBy: () => false,
  of: async () => [],
  park: async () => never(),
  hold: async () => false,
  keep: async () => never(),
  release: async () => never(),
}
