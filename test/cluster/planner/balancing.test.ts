import { describe, expect, it } from 'vitest'
import { Balancing } from '../../../src/cluster/planner/balancing.ts'
import type { KeptShardMap } from '../../../src/ports/shard-map.ts'
import { afterMoves, alike, even, mapAmong } from './parts.ts'

const REST_MS = 60_000
const NONE: ReadonlySet<number> = new Set()
/** Every third shard has most of the load. */
const tilted = alike(even().map((_, shard) => (shard % 3 === 0 ? 2 : 0.5)))

describe('spreading shards anew', () => {
  const settle = (balancing: Balancing, map: KeptShardMap, nodes: readonly string[], nowMs: number) => {
    const moved = afterMoves(map, balancing.moves(map, nodes, alike(), nowMs, NONE))
    expect(balancing.moves(moved, nodes, alike(), nowMs, NONE)).toEqual([])
    return moved
  }

  it('begins at once when a node has come, also one that had just gone', () => {
    const balancing = new Balancing({ restMs: REST_MS })
    settle(balancing, mapAmong(['a']), ['a', 'b', 'c'], 0)
    expect(balancing.moves(mapAmong(['a', 'b']), ['a', 'b'], alike(), 1_000, NONE)).toEqual([])
    expect(
      balancing.moves(mapAmong(['a', 'b']), ['a', 'b', 'c'], alike(), 2_000, NONE).length,
    ).toBeGreaterThan(70)
  })

  it('waits a while where only loads have changed', () => {
    const balancing = new Balancing({ restMs: REST_MS })
    settle(balancing, mapAmong(['a']), ['a', 'b', 'c'], 0)
    const map = mapAmong(['a', 'b', 'c'])
    expect(balancing.moves(map, ['a', 'b', 'c'], tilted, REST_MS - 1, NONE)).toEqual([])
    expect(balancing.moves(map, ['a', 'b', 'c'], tilted, REST_MS, NONE).length).toBeGreaterThan(10)
  })

  it('does nothing while the map is frozen', () => {
    const balancing = new Balancing({ restMs: REST_MS })
    expect(balancing.moves({ ...mapAmong(['a']), frozen: true }, ['a', 'b'], alike(), 0, NONE)).toEqual([])
  })
})
