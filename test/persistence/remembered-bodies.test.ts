import { describe, expect, it, vi } from 'vitest'
import { RememberedBodies } from '../../src/persistence/remembered-bodies.ts'
import { MemoryBodies } from '../host/parts/memory-bodies.ts'

const gets = ({ calls }: MemoryBodies): number => calls.filter((call) => call.startsWith('get')).length

const later = Date.now() + 60_000

describe('bodies that were just written', () => {
  it('are read from memory until they are deleted', async () => {
    const store = new MemoryBodies()
    const bodies = new RememberedBodies(store, Date.now)
    await bodies.put('r', 'a', 'text', later)
    await bodies.put('r', 'b', 'more', later)
    expect([await bodies.get('r', 'a'), await bodies.get('r', 'b'), gets(store)]).toEqual(['text', 'more', 0])
    await bodies.keepOnly('r', ['b'])
    expect([await bodies.get('r', 'a'), await bodies.get('r', 'b'), gets(store)]).toEqual([null, 'more', 1])
    await bodies.delete('r', 'b')
    expect([await bodies.get('r', 'b'), bodies.characters]).toEqual([null, 0])
  })

  it('push out the oldest, and are read from the store again then', async () => {
    const store = new MemoryBodies()
    const bodies = new RememberedBodies(store, Date.now, 100)
    for (const id of ['a', 'b', 'c']) await bodies.put(`r${id}`, id, id.repeat(40), later)
    expect(bodies.characters).toBe(80)
    expect([await bodies.get('ra', 'a'), gets(store)]).toEqual(['a'.repeat(40), 1])
    await bodies.put('large', 'x', 'x'.repeat(100_000), later)
    expect(bodies.characters).toBe(80)
  })

  it('that the store did not take are not there', async () => {
    const store = new MemoryBodies()
    const bodies = new RememberedBodies(store, Date.now)
    store.isAway = true
    await expect(bodies.put('r', 'a', 'text', later)).rejects.toThrow('away')
    store.isAway = false
    expect([await bodies.get('r', 'a'), bodies.characters]).toEqual([null, 0])
  })

  it('are recalled in clear once, and not when they have waited', async () => {
    let now = Date.now()
    const bodies = new RememberedBodies(new MemoryBodies(), () => now)
    await bodies.put('r', 'a', 'sealed', later, 'clear')
    expect(bodies.characters).toBe(11)
    expect([bodies.recall('r', 'a'), bodies.recall('r', 'a'), bodies.characters]).toEqual(['clear', null, 6])
    expect(await bodies.get('r', 'a')).toBe('sealed')
    await bodies.put('r', 'b', 'sealed', later, 'clear')
    now += 10_000
    expect([bodies.recall('r', 'b'), bodies.characters]).toEqual([null, 12])
    await bodies.put('r', 'c', 'sealed', later, 'clear')
    await bodies.keepOnly('r', [])
    expect([bodies.recall('r', 'c'), bodies.characters]).toEqual([null, 0])
  })
  it('do not stay in clear where nobody comes to open them', async () => {
    vi.useFakeTimers()
    try {
      const bodies = new RememberedBodies(new MemoryBodies(), Date.now)
      await bodies.put('r', 'a', 'sealed', later, 'clear')
      await vi.advanceTimersByTimeAsync(9_000)
      await bodies.put('r', 'b', 'sealed', later, 'clear')
      expect(bodies.characters).toBe(22)
      await vi.advanceTimersByTimeAsync(2_000)
      expect(bodies.characters).toBe(17)
      await vi.advanceTimersByTimeAsync(10_000)
      expect([bodies.characters, vi.getTimerCount()]).toEqual([12, 0])
    } finally {
      vi.useRealTimers()
    }
  })
})
