import { describe, expect, it } from 'vitest'
import { LocalRateWindows, OwnedRateWindows, type RateWindows } from '../../../src/http/callers/rate-limit.ts'

const four = { max: 4, windowMs: 60_000 }
const local = () => new LocalRateWindows(() => 1, 10_000)

const takes = async (windows: RateWindows, count: number): Promise<string[]> => {
  const taken: string[] = []
  for (let each = 0; each < count; each++) taken.push((await windows.take('k', four)).is)
  return taken
}

describe('a key with one owner', () => {
  it('is counted once, through whichever node its requests come', async () => {
    const owner = local()
    const remote: RateWindows = { take: async (key, rate) => owner.take(key, rate) }
    const here = new OwnedRateWindows(owner, { ownerOf: () => null, nodes: () => 2 })
    const there = new OwnedRateWindows(local(), { ownerOf: () => remote, nodes: () => 2 })
    expect(await takes(there, 2)).toEqual(['admitted', 'admitted'])
    expect(await takes(here, 3)).toEqual(['admitted', 'admitted', 'refused'])
    expect(await takes(there, 1)).toEqual(['refused'])
  })

  it('is admitted its share by each node while the owner cannot be reached', async () => {
    const away: RateWindows = { take: () => Promise.reject(new Error('away')) }
    const node = () => new OwnedRateWindows(local(), { ownerOf: () => away, nodes: () => 2 })
    expect(await takes(node(), 3)).toEqual(['admitted', 'admitted', 'refused'])
  })

  it('is admitted something, however many nodes there are', async () => {
    const away: RateWindows = { take: () => Promise.reject(new Error('away')) }
    const node = new OwnedRateWindows(local(), { ownerOf: () => away, nodes: () => 9 })
    expect(await takes(node, 2)).toEqual(['admitted', 'refused'])
  })
})
