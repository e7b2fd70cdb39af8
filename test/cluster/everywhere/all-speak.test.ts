import { describe, expect, it } from 'vitest'
import { allSpeak } from '../../../src/cluster/everywhere/all-speak.ts'

const among = (living: readonly string[], spoken: Readonly<Record<string, number | null>>) =>
  allSpeak(
    {
      livingNodes: () => living,
      peers: () => Object.entries(spoken).map(([node, speaks]) => ({ node, speaks })),
    },
    3,
  )

describe('what only a newer release reads', () => {
  it('is written where every node speaks its version, also where one of them is away for a moment', () => {
    expect(among([], {})).toBe(true)
    expect(among(['b', 'c'], { b: 3, c: 4 })).toBe(true)
    expect(among(['b'], { b: 3, coming: null })).toBe(true)
  })

  it('is not written beside a node of the release before, nor beside one of which nothing is known', () => {
    expect(among(['b', 'c'], { b: 3, c: 2 })).toBe(false)
    expect(among(['b', 'c'], { b: 3, c: null })).toBe(false)
    expect(among(['b', 'c'], { b: 3 })).toBe(false)
  })

  it('is not written once a node of the release before comes, although it has no shards yet', () => {
    expect(among(['b'], { b: 3, coming: 2 })).toBe(false)
  })
})
