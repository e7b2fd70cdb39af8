import { describe, expect, it } from 'vitest'
import { WantedShards } from '../../../src/cluster/planner/wanted-shards.ts'
import { withDesired } from '../../../src/cluster/planner/next-map.ts'
import { endedLease, type NodeLease } from '../../../src/ports/lease.ts'
import type { KeptShardMap } from '../../../src/ports/shard-map.ts'
import { mapAmong } from './parts.ts'

const lease = (node: string, incarnation = `first of ${node}`): NodeLease => ({
  node,
  incarnation,
  counter: 1,
  address: '',
  linkAddress: '',
  state: 'alive',
})

const LIVING = [lease('a'), lease('b'), lease('c')]
const STEP_MS = 5_000
/** Of node `a` are 0, 3, 6, 9, of `b` the next ones, of `c` those after these. */
const map = mapAmong(['a', 'b', 'c'], 12)
const moving = (...moves: readonly (readonly [number, string])[]): KeptShardMap =>
  withDesired(
    map,
    moves.map(([shard, to]) => ({ shard, to })),
  )

/** Looks at each of these maps for its time, one after the other. */
const seen = (
  ...spans: readonly (readonly [KeptShardMap, number, (readonly NodeLease[])?])[]
): Readonly<Record<string, readonly [number, number]>> => {
  const wanted = new WantedShards()
  let [nowMs, waiting] = [0, wanted.look(map, LIVING, 0)]
  for (const [given, ms, living = LIVING] of spans) {
    for (let left = ms; left > 0; left -= STEP_MS) {
      nowMs += STEP_MS
      waiting = wanted.look(given, living, nowMs)
    }
  }
  return Object.fromEntries(
    [...waiting].map(([node, { longestMs, stillMs }]) => [node, [longestMs, stillMs]]),
  )
}

describe('what a node is to let go', () => {
  it('is wanted from it since it was first seen to be, whoever is to have it', () => {
    expect(seen([map, 20_000])).toEqual({})
    expect(seen([moving([0, 'b']), 30_000])).toEqual({ a: [25_000, 25_000] })
    expect(seen([moving([0, 'b']), 30_000], [moving([0, 'c'], [1, 'c']), 20_000])).toEqual({
      a: [45_000, 45_000],
      b: [15_000, 15_000],
    })
    expect(seen([moving([0, 'b']), 30_000], [map, STEP_MS], [moving([0, 'b']), 10_000])).toEqual({
      a: [5_000, 5_000],
    })
  })

  it('is another matter than that it lets go of others', () => {
    const all = moving([0, 'b'], [3, 'b'], [6, 'b'])
    expect(seen([all, 30_000], [moving([0, 'b'], [3, 'b']), 20_000])).toEqual({ a: [45_000, 15_000] })
  })

  it('is wanted anew from a process that comes back, and from nobody whose lease was ended or is over', () => {
    const wanted = moving([0, 'b'])
    const [, b, c] = LIVING
    const others = [b, c].filter((each) => each !== undefined)
    expect(seen([wanted, 30_000], [wanted, 10_000, [lease('a', 'second'), ...others]])).toEqual({
      a: [5_000, 5_000],
    })
    expect(seen([wanted, 30_000, [endedLease(lease('a')), ...others]])).toEqual({})
    expect(seen([wanted, 30_000, others])).toEqual({})
  })

  it('is not wanted for a node that is gone, nor while the map is frozen', () => {
    const wanted = moving([0, 'b'])
    expect(seen([wanted, 30_000, [lease('a'), lease('c')]])).toEqual({})
    expect(seen([wanted, 30_000], [{ ...wanted, frozen: true }, 30_000])).toEqual({})
    expect(seen([wanted, 30_000], [{ ...wanted, frozen: true }, 30_000], [wanted, 10_000])).toEqual({
      a: [5_000, 5_000],
    })
  })

  it('is also to open what nobody serves, which says nothing of what it lets go', () => {
    const nobodys = (shard: number): KeptShardMap => {
      const place = map.places[shard]
      return place === undefined
        ? map
        : { ...map, places: map.places.with(shard, { ...place, owner: null, desired: 'b' }) }
    }
    expect(seen([nobodys(0), 30_000])).toEqual({ b: [25_000, 0] })
    expect(seen([moving([0, 'b']), 30_000], [nobodys(0), 10_000])).toEqual({ b: [5_000, 0] })
  })

  it('counts from the next look on after a time in which nobody could look', () => {
    const wanted = new WantedShards()
    wanted.look(moving([0, 'b']), LIVING, 0)
    wanted.look(moving([0, 'b']), LIVING, 9_000)
    expect(wanted.look(moving([0, 'b']), LIVING, 19_000).get('a')?.longestMs).toBe(19_000)
    expect(wanted.look(moving([0, 'b']), LIVING, 90_000).get('a')?.longestMs).toBe(0)
  })
})
