import { describe, expect, it } from 'vitest'
import { reportLoads, type ShardCounts } from '../../../src/cluster/map/load-report.ts'
import type { NodeLoads } from '../../../src/ports/shard-map.ts'
import { ModelJournal } from '../../persistence/model-journal.ts'

describe('the loads that a node tells of', () => {
  it('are measured between two looks of one opening, smoothed, and told of what it serves alone', async () => {
    const model = new ModelJournal()
    const { runtime } = model.process('n1')
    const counts = new Map<number, ShardCounts>()
    const told: NodeLoads[] = []
    const stop = new AbortController()
    const store = { tell: async (loads: NodeLoads) => void told.push(loads) }
    const looks = async (): Promise<NodeLoads['loads']> => {
      const before = told.length
      while (told.length === before) await model.pass(1_000)
      return told.at(-1)?.loads ?? []
    }
    counts.set(3, { shard: 3, epoch: 1, events: 0, bytes: 0, residents: 5 })
    void reportLoads({ node: 'n1', counts: () => [...counts.values()], store, runtime }, stop.signal)
    expect(await looks()).toEqual([])
    counts.set(3, { shard: 3, epoch: 1, events: 150, bytes: 15_000, residents: 6 })
    const [first] = await looks()
    expect(first?.eventsPerSecond).toBeGreaterThan(9)
    expect(first?.eventsPerSecond).toBeLessThan(10.1)
    expect(first?.residents).toBe(6)
    const [second] = await looks()
    expect(second?.eventsPerSecond).toBeCloseTo((first?.eventsPerSecond ?? 0) * 0.6)
    counts.set(4, { shard: 4, epoch: 2, events: 1_000, bytes: 0, residents: 0 })
    expect((await looks()).map(({ shard }) => shard)).toEqual([3])
    counts.delete(3)
    expect((await looks()).map(({ shard, eventsPerSecond }) => [shard, eventsPerSecond])).toEqual([[4, 0]])
    stop.abort(new Error('over'))
  })
})
