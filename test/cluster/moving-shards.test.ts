import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { freshKeyspace } from '../contract/journal/parts/cassandra-keyspace.ts'
import { MapNodes, show, spreadOf } from './parts/map-nodes.ts'

const LIMIT_MS = 240_000
/** More would be a cluster that does not work; how fast it is on a quiet machine, the benchmark says. */
const DRAIN_LIMIT_MS = 15_000
const TAKEOVER_LIMIT_MS = 30_000
const WHILE_THEY_MOVE = { timeout: LIMIT_MS, interval: 200 }

describe('shards of three nodes on a real Cassandra', () => {
  let nodes: MapNodes
  beforeAll(async () => {
    nodes = new MapNodes({ ...(await freshKeyspace()), requestTimeoutMs: 5_000 })
  })
  afterAll(() => nodes?.[Symbol.asyncDispose]())

  it('are shared out among them', { timeout: LIMIT_MS }, async () => {
    const beganMs = performance.now()
    await nodes.start('n1', 'n2', 'n3')
    await expect.poll(() => nodes.areEven('n1', ['n1', 'n2', 'n3']), WHILE_THEY_MOVE).toBe(true)
    show(
      `three nodes have shared ${SHARD_COUNT} shards out after ${seconds(beganMs)}:`,
      await nodes.shares('n1'),
    )
    // The map names an owner before that has opened the shard.
    for (const [shard, { owner }] of ((await nodes.map('n1'))?.places ?? []).entries())
      await expect
        .poll(
          () =>
            nodes
              .at(owner ?? '')
              .call('add', shard)
              .then(
                () => true,
                () => false,
              ),
          WHILE_THEY_MOVE,
        )
        .toBe(true)
    await expect.poll(() => nodes.answers.lastMs.size, { timeout: LIMIT_MS }).toBe(SHARD_COUNT)
    nodes.answers.pauses()
  })

  it('go to the others before a node stops', { timeout: LIMIT_MS }, async () => {
    await pause(1_000)
    nodes.answers.pauses()
    const beganMs = performance.now()
    await nodes.stop('n3')
    const tookMs = performance.now() - beganMs
    await expect.poll(() => nodes.areEven('n1', ['n1', 'n2']), WHILE_THEY_MOVE).toBe(true)
    await pause(1_000)
    show(
      `a node of three drained in ${Math.round(tookMs)} ms; pauses of its shards:`,
      spreadOf(nodes.answers.pauses(), 86),
    )
    expect(tookMs).toBeLessThan(DRAIN_LIMIT_MS)
  })

  it('come to a node that joins', { timeout: LIMIT_MS }, async () => {
    const beganMs = performance.now()
    await nodes.start('n3')
    await expect.poll(() => nodes.areEven('n1', ['n1', 'n2', 'n3']), WHILE_THEY_MOVE).toBe(true)
    show(`a node that joined had its share after ${seconds(beganMs)}:`, await nodes.shares('n1'))
    await pause(1_000)
    show('pauses of the shards that moved:', spreadOf(nodes.answers.pauses(), 80))
  })

  it('are served again after a node was killed', { timeout: LIMIT_MS }, async () => {
    const lost = await nodes.shardsOf('n2', 'n1')
    expect(lost.length).toBeGreaterThan(60)
    nodes.kill('n2')
    const killedMs = Date.now()
    const servedAgain = () => lost.every((shard) => (nodes.answers.lastMs.get(shard) ?? 0) > killedMs + 1_000)
    await expect.poll(servedAgain, { timeout: LIMIT_MS }).toBe(true)
    await pause(500)
    const pauses = nodes.answers.pauses().slice(-lost.length)
    show(
      `${lost.length} shards of a killed node were served again; their pauses:`,
      spreadOf(pauses, lost.length),
    )
    expect(pauses.at(-1)).toBeLessThan(TAKEOVER_LIMIT_MS)
  })
})

const seconds = (sinceMs: number): string => `${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`
