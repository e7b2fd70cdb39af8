import { describe, expect, it } from 'vitest'
import { hungDefaults, HungNodes } from '../../../src/cluster/planner/hung-nodes.ts'
import { withDesired } from '../../../src/cluster/planner/next-map.ts'
import { endedLease, isEnded, type NodeLease } from '../../../src/ports/lease.ts'
import type { KeptShardMap } from '../../../src/ports/shard-map.ts'
import { mapAmong } from './parts.ts'

const { handOffMs, turnMs, silentMs } = hungDefaults
const STEP_MS = 500
const NAMES = ['a', 'b', 'c']

type HeldUp = { readonly handOffMs: number; readonly mapMs: number }
const NOT_AT_ALL: HeldUp = { handOffMs: 0, mapMs: 0 }

const lease = (node: string): NodeLease => {
  return { node, incarnation: `first of ${node}`, counter: 1, address: '', linkAddress: '', state: 'alive' }
}

/** The looks of some nodes at one map, in which `a` is to let shards go for `b`. */
const begin = (...looking: readonly string[]) => {
  const map = mapAmong(NAMES, 12)
  const moving = (shards: readonly number[]): KeptShardMap =>
    withDesired(
      map,
      shards.map((shard) => ({ shard, to: 'b' })),
    )
  const now = {
    ms: 0,
    map: moving([0, 3]),
    rows: NAMES.map(lease),
    isAway: false,
    isConfirmed: true,
    /** What `a` says, if anything. */
    says: (): HeldUp | null => ({ handOffMs: now.ms, mapMs: 0 }),
  }
  const ended: { readonly by: string; readonly node: string; readonly atMs: number }[] = []
  let writes = 0
  const refreshed = async (): Promise<KeptShardMap> => {
    if (now.isAway) throw new Error('the store is away')
    return now.map
  }
  const nodes = looking.map(
    (node) =>
      new HungNodes({
        node,
        membership: {
          session: () => ({
            owner: node,
            ended: new AbortController().signal,
            valid: () => now.isConfirmed,
          }),
          alive: () => now.rows,
        },
        leases: async () => now.rows,
        endLease: async (row) => {
          writes++
          const isThere = now.rows.includes(row)
          now.rows = now.rows.map((each) => (each === row ? endedLease(each) : each))
          return isThere
        },
        map: { refreshed },
        heldUpOf: async (asked) => (asked === 'a' ? now.says() : NOT_AT_ALL),
        runtime: { monotonicMs: () => now.ms },
        settings: hungDefaults,
        ended: (hung) => ended.push({ by: node, node: hung, atMs: now.ms }),
        report: () => undefined,
      }),
  )
  const pass = async (ms: number): Promise<void> => {
    for (const endMs = now.ms + ms; now.ms < endMs; now.ms += STEP_MS)
      await Promise.all(nodes.map((node) => node.look()))
  }
  return { now, moving, ended, pass, writes: () => writes }
}

/** Or some seconds later, because it is asked every two. */
const isAt = ({ ended }: ReturnType<typeof begin>, expectedMs: number): boolean => {
  const atMs = ended[0]?.atMs ?? -1
  return atMs >= expectedMs && atMs < expectedMs + 3_000
}

describe('a node that hangs', () => {
  it('with a hand-off loses its lease after a minute, once, by the first of the others', async () => {
    const begun = begin('a', 'b', 'c')
    const { now, ended, pass, writes } = begun
    await pass(handOffMs)
    expect(ended).toEqual([])
    await pass(4 * handOffMs)
    expect(ended).toMatchObject([{ by: 'b', node: 'a' }])
    expect(isAt(begun, handOffMs)).toBe(true)
    expect(writes()).toBe(1)
    expect(now.rows.filter(isEnded).map(({ node }) => node)).toEqual(['a'])
  })

  it('loses it by the next one in turn where the one before it does nothing', async () => {
    const begun = begin('c')
    await begun.pass(2 * handOffMs)
    expect(begun.ended).toMatchObject([{ by: 'c', node: 'a' }])
    expect(isAt(begun, handOffMs + turnMs)).toBe(true)
  })

  it('with a hand-off loses it also where the shard is not wanted elsewhere any more', async () => {
    const begun = begin('b')
    begun.now.map = begun.moving([])
    await begun.pass(2 * handOffMs)
    expect(isAt(begun, handOffMs)).toBe(true)
  })

  it('so that it does not look at the map loses it when something has been wanted of it for as long', async () => {
    const begun = begin('b')
    const { now, ended, moving, pass } = begun
    now.says = () => ({ handOffMs: 0, mapMs: now.ms })
    now.map = moving([])
    await pass(2 * handOffMs)
    expect(ended).toEqual([])
    now.map = moving([0])
    await pass(2 * handOffMs)
    expect(isAt(begun, 3 * handOffMs)).toBe(true)
  })

  it('and says nothing loses it when it has let go of nothing for as long', async () => {
    const begun = begin('b')
    begun.now.says = () => null
    await begun.pass(2 * handOffMs)
    expect(isAt(begun, handOffMs)).toBe(true)
  })

  it('does not end its own lease', async () => {
    const { ended, pass } = begin('a')
    await pass(5 * handOffMs)
    expect(ended).toEqual([])
  })
})

describe('a node that is slow for a good reason', () => {
  it('keeps its lease for as long as each hand-off has its turn, or its next owner is not there', async () => {
    const { now, ended, pass } = begin('b', 'c')
    now.says = () => ({ handOffMs: 7_000, mapMs: 500 })
    await pass(20 * handOffMs)
    expect(ended).toEqual([])
  })

  it('keeps it where it is of an older release, and lets go of one after the other', async () => {
    const { now, moving, ended, pass } = begin('b', 'c')
    now.says = () => null
    for (const left of [
      [0, 3, 6],
      [3, 6],
      [6, 9],
      [9, 0],
    ]) {
      now.map = moving(left)
      await pass(handOffMs - 5_000)
    }
    expect(ended).toEqual([])
  })

  it('keeps it where only the last answers are missing', async () => {
    const { now, ended, pass } = begin('b')
    now.says = () => (now.ms < handOffMs - silentMs / 2 ? NOT_AT_ALL : null)
    await pass(handOffMs + silentMs / 3)
    expect(ended).toEqual([])
    await pass(silentMs)
    expect(ended).toHaveLength(1)
  })

  it('keeps it through an outage that keeps everybody from the map', async () => {
    const { now, ended, pass } = begin('b')
    now.says = () => ({ handOffMs: 0, mapMs: now.ms })
    await pass(handOffMs - 5_000)
    now.isAway = true
    await pass(handOffMs)
    now.isAway = false
    await pass(handOffMs - 5_000)
    expect(ended).toEqual([])
    await pass(10_000)
    expect(ended).toHaveLength(1)
  })

  it('keeps it while the map is frozen, and where who looks cannot confirm its own lease', async () => {
    const { now, ended, pass } = begin('b')
    now.map = { ...now.map, frozen: true }
    await pass(2 * handOffMs)
    now.map = { ...now.map, frozen: false }
    now.isConfirmed = false
    await pass(2 * handOffMs)
    expect(ended).toEqual([])
  })
})
