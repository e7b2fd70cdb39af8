import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import type { CassandraSettings } from '../../src/persistence/engine-settings.ts'
import type { KeptShardMap } from '../../src/ports/shard-map.ts'
import { ModuleProcess } from '../../tools/harness/module-process.ts'
import { freshKeyspace } from '../contract/journal/parts/cassandra-keyspace.ts'
import type { Served } from './map-node.ts'

const LIMIT_MS = 240_000
/** More would be a cluster that does not work; how fast it is on a quiet machine, the benchmark says. */
const DRAIN_LIMIT_MS = 15_000
const TAKEOVER_LIMIT_MS = 30_000

type Node = ModuleProcess<typeof import('./map-node.ts')>

/** When each shard last answered, and the longest that each was not answered for in between. */
class Answers {
  readonly lastMs = new Map<number, number>()
  readonly pausesMs = new Map<number, number>()

  readonly take = (message: unknown): void => {
    for (const [shard, firstMs, lastMs] of (message as Served).shards) {
      const beforeMs = this.lastMs.get(shard) ?? firstMs
      this.pausesMs.set(shard, Math.max(this.pausesMs.get(shard) ?? 0, firstMs - beforeMs))
      this.lastMs.set(shard, Math.max(beforeMs, lastMs))
    }
  }

  /** The longest of each shard since the last call, in order. */
  pauses(): readonly number[] {
    const sorted = [...this.pausesMs.values()].toSorted((one, other) => one - other)
    this.pausesMs.clear()
    return sorted
  }
}

describe('shards of three nodes on a real Cassandra', () => {
  let settings: CassandraSettings
  const answers = new Answers()
  const nodes = new Map<string, Node>()

  const start = async (name: string): Promise<void> => {
    const node: Node = new ModuleProcess(new URL('./map-node.ts', import.meta.url), {
      onMessage: answers.take,
    })
    await node.call('start', name, settings)
    nodes.set(name, node)
  }
  const mapAt = async (name: string): Promise<KeptShardMap | null> =>
    (await nodes.get(name)?.call('map'))?.value ?? null
  const sharesAt = async (name: string): Promise<Readonly<Record<string, number>>> => {
    const counts: Record<string, number> = {}
    for (const { owner, desired } of (await mapAt(name))?.places ?? []) {
      const key = owner === desired ? String(owner) : 'moving'
      counts[key] = (counts[key] ?? 0) + 1
    }
    return counts
  }
  const even = async (at: string, names: readonly string[]): Promise<boolean> => {
    const shares = await sharesAt(at)
    const mean = SHARD_COUNT / names.length
    return (
      Object.keys(shares).length === names.length &&
      names.every((name) => Math.abs((shares[name] ?? 0) - mean) <= mean * 0.2)
    )
  }

  beforeAll(async () => {
    settings = { ...(await freshKeyspace()), requestTimeoutMs: 5_000 }
  })
  afterAll(async () => {
    for (const node of nodes.values()) await node[Symbol.asyncDispose]()
  })

  it('are shared out among them', { timeout: LIMIT_MS }, async () => {
    const beganMs = performance.now()
    await Promise.all(['n1', 'n2', 'n3'].map(start))
    await expect.poll(() => even('n1', ['n1', 'n2', 'n3']), { timeout: LIMIT_MS, interval: 200 }).toBe(true)
    show(`three nodes have shared ${SHARD_COUNT} shards out after ${seconds(beganMs)}:`, await sharesAt('n1'))
    const owners = (await mapAt('n1'))?.places ?? []
    for (const [shard, { owner }] of owners.entries()) await nodes.get(owner ?? '')?.call('add', shard)
    await expect.poll(() => answers.lastMs.size, { timeout: LIMIT_MS }).toBe(SHARD_COUNT)
    answers.pauses()
  })

  it('go to the others before a node stops', { timeout: LIMIT_MS }, async () => {
    await pause(1_000)
    answers.pauses()
    const beganMs = performance.now()
    const leaving = nodes.get('n3')
    await leaving?.call('stop')
    const tookMs = performance.now() - beganMs
    nodes.delete('n3')
    await leaving?.[Symbol.asyncDispose]()
    await expect.poll(() => even('n1', ['n1', 'n2'])).toBe(true)
    await pause(1_000)
    show(
      `a node of three drained in ${Math.round(tookMs)} ms; pauses of its shards:`,
      spread(answers.pauses(), 86),
    )
    expect(tookMs).toBeLessThan(DRAIN_LIMIT_MS)
  })

  it('come to a node that joins', { timeout: LIMIT_MS }, async () => {
    const beganMs = performance.now()
    await start('n3')
    await expect.poll(() => even('n1', ['n1', 'n2', 'n3']), { timeout: LIMIT_MS, interval: 200 }).toBe(true)
    show(`a node that joined had its share after ${seconds(beganMs)}:`, await sharesAt('n1'))
    await pause(1_000)
    show('pauses of the shards that moved:', spread(answers.pauses(), 80))
  })

  it('are served again after a node was killed', { timeout: LIMIT_MS }, async () => {
    const lost =
      (await mapAt('n1'))?.places.flatMap(({ owner }, shard) => (owner === 'n2' ? [shard] : [])) ?? []
    expect(lost.length).toBeGreaterThan(60)
    const victim = nodes.get('n2')
    nodes.delete('n2')
    victim?.kill()
    const killedMs = Date.now()
    const servedAgain = () => lost.every((shard) => (answers.lastMs.get(shard) ?? 0) > killedMs + 1_000)
    await expect.poll(servedAgain, { timeout: LIMIT_MS }).toBe(true)
    await pause(500)
    const pauses = answers.pauses().slice(-lost.length)
    show(
      `${lost.length} shards of a killed node were served again; their pauses:`,
      spread(pauses, lost.length),
    )
    expect(pauses.at(-1)).toBeLessThan(TAKEOVER_LIMIT_MS)
  })
})

const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`

const show = (...words: readonly unknown[]): void => {
  process.stdout.write(
    `${words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ')}\n`,
  )
}

const spread = (sorted: readonly number[], count: number): string => {
  const those = sorted.slice(-count)
  const at = (part: number): string =>
    `${those[Math.min(those.length - 1, Math.floor(those.length * part))] ?? 0} ms`
  return `median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`
}
