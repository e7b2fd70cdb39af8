import type { HungSettings } from '../../../src/cluster/planner/hung-nodes.ts'
import { SHARD_COUNT } from '../../../src/domain/references.ts'
import type { CassandraSettings } from '../../../src/persistence/engine-settings.ts'
import type { KeptShardMap } from '../../../src/ports/shard-map.ts'
import { ModuleProcess } from '../../../tools/harness/module-process.ts'
import type { Served } from '../map-node.ts'

type MapNode = ModuleProcess<typeof import('../map-node.ts')>

/** When each shard last answered, and the longest that each was not answered for in between. */
class Answers {
  readonly lastMs = new Map<number, number>()
  /** Of each node, when it answered for each shard first and last. */
  readonly byNode = new Map<string, Map<number, readonly [firstMs: number, lastMs: number]>>()
  readonly #pausesMs = new Map<number, number>()

  readonly take = (message: unknown): void => {
    const { node, shards } = message as Served
    const ofNode = this.byNode.get(node) ?? new Map<number, readonly [number, number]>()
    this.byNode.set(node, ofNode)
    for (const [shard, firstMs, lastMs] of shards) {
      ofNode.set(shard, [ofNode.get(shard)?.[0] ?? firstMs, lastMs])
      const beforeMs = this.lastMs.get(shard) ?? firstMs
      this.#pausesMs.set(shard, Math.max(this.#pausesMs.get(shard) ?? 0, firstMs - beforeMs))
      this.lastMs.set(shard, Math.max(beforeMs, lastMs))
    }
  }

  /** The longest of each shard since the last call, in order. */
  pauses(): readonly number[] {
    const sorted = [...this.#pausesMs.values()].toSorted((one, other) => one - other)
    this.#pausesMs.clear()
    return sorted
  }
}

/** Nodes without their HTTP front, each a process, on one Cassandra. */
export class MapNodes {
  readonly answers = new Answers()
  readonly #settings: CassandraSettings
  readonly #hung: Partial<HungSettings> | null
  readonly #nodes = new Map<string, MapNode>()

  constructor(settings: CassandraSettings, hung: Partial<HungSettings> | null = null) {
    this.#settings = settings
    this.#hung = hung
  }

  async start(...names: readonly string[]): Promise<void> {
    const begin = async (name: string): Promise<void> => {
      const node: MapNode = new ModuleProcess(new URL('../map-node.ts', import.meta.url), {
        onMessage: this.answers.take,
      })
      await node.call('start', name, this.#settings, this.#hung)
      this.#nodes.set(name, node)
    }
    await Promise.all(names.map(begin))
  }

  /** In peace: others have taken its shards when this resolves. */
  async stop(name: string): Promise<void> {
    const node = this.at(name)
    await node.call('stop')
    this.#nodes.delete(name)
    await node[Symbol.asyncDispose]()
  }

  kill(name: string): void {
    this.at(name).kill()
    this.#nodes.delete(name)
  }

  at(name: string): MapNode {
    const node = this.#nodes.get(name)
    if (node === undefined) throw new Error(`there is no ${name}`)
    return node
  }

  async map(at: string): Promise<KeptShardMap | null> {
    return (await this.at(at).call('map')).value
  }

  /** The shards that a node serves, by the map. */
  async shardsOf(name: string, at: string): Promise<readonly number[]> {
    return ((await this.map(at))?.places ?? []).flatMap(({ owner }, shard) => (owner === name ? [shard] : []))
  }

  /** How many shards each node serves; what is on its way stands by itself. */
  async shares(at: string): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {}
    for (const { owner, desired } of (await this.map(at))?.places ?? []) {
      const key = owner === desired ? String(owner) : 'moving'
      counts[key] = (counts[key] ?? 0) + 1
    }
    return counts
  }

  async areEven(at: string, names: readonly string[]): Promise<boolean> {
    const shares = await this.shares(at)
    const mean = SHARD_COUNT / names.length
    return (
      Object.keys(shares).length === names.length &&
      names.every((name) => Math.abs((shares[name] ?? 0) - mean) <= mean * 0.2)
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#nodes.values()].map((node) => node[Symbol.asyncDispose]()))
  }
}

/** What a person who looks on reads. */
export const show = (...words: readonly unknown[]): void => {
  process.stdout.write(
    `${words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ')}\n`,
  )
}

/** Of the longest so many. */
export const spreadOf = (sorted: readonly number[], count: number): string => {
  const those = sorted.slice(-count)
  const at = (part: number): string =>
    `${those[Math.min(those.length - 1, Math.floor(those.length * part))] ?? 0} ms`
  return `median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`
}
