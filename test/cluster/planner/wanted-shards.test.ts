import { describe, expect, it } from 'vitest'
import { WantedShards } from '../../../src/cluster/planner/wanted-shards.ts'
import { withDesired } from '../../../src/cluster/planner/next-map.ts'
import { endedLease, type NodeLease } from '../../../src/ports/lease.ts'
import type { KeptPlace, KeptShardMap } from '../../../src/ports/shard-map.ts'
import { mapAmong, withMembers } from './parts.ts'

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

const placeOf = (shard: number): KeptPlace => {
  const place = map.places[shard]
  if (place === undefined) throw new Error(`there is no shard ${shard}`)
  return place
}

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

describe('what the map wants of a node', () => {
  it('is wanted since it was first seen to be, whoever is to have the shard', () => {
    expect(seen([map, 20_000])).toEqual({})
    const both = { a: [25_000, 25_000], b: [25_000, 0] }
    expect(seen([moving([0, 'b']), 30_000])).toEqual(both)
    expect(seen([moving([0, 'b']), 30_000], [moving([0, 'c'], [1, 'c']), 20_000])).toEqual({
      a: [45_000, 45_000],
      b: [15_000, 15_000],
      c: [15_000, 0],
    })
    expect(seen([moving([0, 'b']), 30_000], [map, STEP_MS], [moving([0, 'b']), 10_000])).toEqual({
      a: [5_000, 5_000],
      b: [5_000, 0],
    })
  })

  it('is still to be let go although others of its shards are', () => {
    const all = moving([0, 'b'], [3, 'b'], [6, 'b'])
    const { a } = seen([all, 30_000], [moving([0, 'b'], [3, 'b']), 20_000])
    expect(a).toEqual([45_000, 15_000])
  })

  it('is wanted anew of a process that comes back, and of nobody whose lease was ended or is over', () => {
    const wanted = moving([0, 'b'])
    const others = LIVING.filter(({ node }) => node !== 'a')
    const back = seen([wanted, 30_000], [wanted, 10_000, [lease('a', 'second'), ...others]])
    expect(back['a']).toEqual([5_000, 5_000])
    expect(seen([wanted, 30_000, [endedLease(lease('a')), ...others]])['a']).toBeUndefined()
    expect(seen([wanted, 30_000, others])).toEqual({ b: [25_000, 0] })
  })

  it('is nothing for a node that is gone, nor while the map is frozen', () => {
    const wanted = moving([0, 'b'])
    const isFrozen = { ...wanted, frozen: true }
    expect(seen([wanted, 30_000, [lease('a'), lease('c')]])).toEqual({})
    expect(seen([wanted, 30_000], [isFrozen, 30_000])).toEqual({})
    expect(seen([wanted, 30_000], [isFrozen, 30_000], [wanted, 10_000])['a']).toEqual([5_000, 5_000])
  })

  it('is also to take what another has or nobody serves, and to say what part it takes', () => {
    const nobodys = { ...map, places: map.places.with(0, { ...placeOf(0), owner: null, desired: 'b' }) }
    expect(seen([nobodys, 30_000])).toEqual({ b: [25_000, 0] })
    expect(seen([moving([0, 'b']), 30_000], [nobodys, 10_000])).toEqual({ b: [35_000, 0] })
    const unknown = { ...map, members: map.members.filter(({ node }) => node !== 'c') }
    expect(seen([unknown, 30_000])).toEqual({ c: [25_000, 0] })
  })

  it('is also to say what part it takes where all that is known is that it was to leave, by whichever process', () => {
    expect(seen([withMembers(map, { a: 'taking', b: 'drained', c: 'leaving' }), 30_000])).toEqual({
      c: [25_000, 0],
    })
  })

  it('counts from the next look on after a time in which nobody could look', () => {
    const wanted = new WantedShards()
    wanted.look(moving([0, 'b']), LIVING, 0)
    wanted.look(moving([0, 'b']), LIVING, 9_000)
    expect(wanted.look(moving([0, 'b']), LIVING, 19_000).get('a')?.longestMs).toBe(19_000)
    expect(wanted.look(moving([0, 'b']), LIVING, 90_000).get('a')?.longestMs).toBe(0)
  })
})
