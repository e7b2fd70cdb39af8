import { describe, expect, it } from 'vitest'
import { watchMoves } from '../../src/cluster/move-watch.ts'
import type { KeptPlace, KeptShardMap } from '../../src/ports/shard-map.ts'
import { mapAmong } from './planner/parts.ts'

const watched = () => {
  let map = mapAmong(['a', 'b'], 4)
  let nowMs = 0
  let changed: (next: KeptShardMap) => void = () => undefined
  const onChange = (listener: typeof changed) => {
    changed = listener
    return () => undefined
  }
  const watch = watchMoves('a', { current: () => map, onChange }, { monotonicMs: () => nowMs })
  const put = (shard: number, place: Partial<KeptPlace>): void => {
    const before = map.places[shard] as KeptPlace
    map = { ...map, places: map.places.with(shard, { ...before, ...place }) }
    changed(map)
  }
  return { watch, put, after: (ms: number) => (nowMs += ms) }
}

describe('the moves of a node', () => {
  it('are counted as they come and go', () => {
    const { watch, put } = watched()
    put(0, { desired: 'b' })
    put(0, { owner: null })
    put(0, { owner: 'b' })
    put(1, { owner: 'a', desired: 'a' })
    expect(watch.counts()).toEqual({ came: 1, went: 1 })
    // The shard was never seen without an owner.
    expect(watch.recentPauseMs()).toBeNull()
  })

  it('pause from the moment the owner has let go until the shard is served here; the longest lately counts', () => {
    const { watch, put, after } = watched()
    const take = (shard: number, pauseMs: number): void => {
      put(shard, { desired: 'a' })
      after(5_000)
      put(shard, { owner: null })
      after(pauseMs)
      put(shard, { owner: 'a', epoch: 2 })
    }
    take(1, 300)
    take(3, 120)
    expect(watch.recentPauseMs()).toBe(300)
    after(600_000 - 5_120)
    expect(watch.recentPauseMs()).toBe(300)
    after(1)
    expect(watch.recentPauseMs()).toBe(120)
    after(600_000)
    expect(watch.recentPauseMs()).toBeNull()
  })

  it('are no pause where the owner died, or where another took the shard in the end', () => {
    const { watch, put, after } = watched()
    put(1, { owner: null, epoch: null, desired: 'a' })
    after(9_000)
    put(1, { owner: 'a', epoch: 2 })
    put(3, { owner: null, desired: 'a' })
    after(9_000)
    put(3, { owner: 'b', desired: 'b' })
    put(3, { owner: 'a', desired: 'a' })
    expect(watch.recentPauseMs()).toBeNull()
    expect(watch.counts().came).toBe(2)
  })
})
