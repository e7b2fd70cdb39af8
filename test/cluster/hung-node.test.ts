import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { freshKeyspace } from '../contract/journal/parts/cassandra-keyspace.ts'
import { MapNodes, show, spreadOf } from './parts/map-nodes.ts'

const LIMIT_MS = 240_000
/** A minute would show nothing else. */
const hung = { handOffMs: 12_000, silentMs: 5_000, turnMs: 2_000 }
const WHILE_THEY_MOVE = { timeout: LIMIT_MS, interval: 200 }

describe('a node on a real Cassandra that renews its lease and lets go of nothing', () => {
  let nodes: MapNodes
  beforeAll(async () => {
    nodes = new MapNodes({ ...(await freshKeyspace()), requestTimeoutMs: 5_000 }, hung)
  })
  afterAll(() => nodes?.[Symbol.asyncDispose]())

  it('loses its shards to others, none of which answers while it still does, and comes back', {
    timeout: 3 * LIMIT_MS,
  }, async () => {
    const names = ['n1', 'n2', 'n3']
    await nodes.start(...names)
    await expect.poll(() => nodes.areEven('n2', names), WHILE_THEY_MOVE).toBe(true)
    for (const [shard, { owner }] of ((await nodes.map('n2'))?.places ?? []).entries())
      await nodes.at(owner ?? '').call('add', shard)
    await expect.poll(() => nodes.answers.lastMs.size, { timeout: LIMIT_MS }).toBe(SHARD_COUNT)
    // The first by name, which plans.
    const lost = await nodes.shardsOf('n1', 'n2')
    const [wanted = -1] = lost
    await nodes.at('n1').call('hang', true)
    nodes.answers.byNode.clear()
    nodes.answers.pauses()
    const beganMs = Date.now()
    await nodes.at('n2').call('move', wanted, 'n2')
    const answeredElsewhere = (shard: number): number =>
      Math.min(...['n2', 'n3'].map((name) => nodes.answers.byNode.get(name)?.get(shard)?.[0] ?? Infinity))
    const areTaken = (): boolean => lost.every((shard) => answeredElsewhere(shard) < Infinity)
    // The lease has to stand still, and the shards are opened: on a busy machine that takes its time.
    await expect.poll(areTaken, { timeout: LIMIT_MS, interval: 100 }).toBe(true)
    const firstMs = Math.min(...lost.map(answeredElsewhere)) - beganMs
    show(
      `shards of a node that hung for ${hung.handOffMs} ms were answered for elsewhere after ${firstMs} ms; pauses:`,
      spreadOf(nodes.answers.pauses(), lost.length),
    )
    expect(firstMs).toBeGreaterThan(hung.handOffMs)
    const ofHung = nodes.answers.byNode.get('n1')
    const lateAnswers = lost.filter((shard) => (ofHung?.get(shard)?.[1] ?? 0) > answeredElsewhere(shard))
    expect(lateAnswers).toEqual([])
    await nodes.at('n1').call('hang', false)
    await expect.poll(() => nodes.areEven('n2', names), WHILE_THEY_MOVE).toBe(true)
  })
})
