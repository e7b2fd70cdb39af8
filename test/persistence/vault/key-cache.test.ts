import { describe, expect, it } from 'vitest'
import { KeyCache } from '../../../src/persistence/vault/record-key.ts'

describe('key cache', () => {
  const make = () => {
    const clock = { ms: 0 }
    return { clock, cache: new KeyCache<{ id: string }>(3, 100, () => clock.ms) }
  }

  it('holds no more than its count, the least recently used leave first', () => {
    const { cache } = make()
    for (const id of ['a', 'b', 'c']) cache.put(id, { id })
    expect(cache.fresh('a')).toEqual({ id: 'a' })
    cache.put('d', { id: 'd' })
    expect(cache.size).toBe(3)
    expect(cache.fresh('b')).toBeNull()
    expect(cache.fresh('a')).toEqual({ id: 'a' })
  })

  it('asks for a check after the lifetime, and drops what nobody uses', () => {
    const { cache, clock } = make()
    const entry = { id: 'a' }
    cache.put('a', entry)
    clock.ms = 99
    expect(cache.fresh('a')).toBe(entry)
    clock.ms = 100
    expect(cache.fresh('a')).toBeNull()
    expect(cache.living('a')).toBe(entry)
    cache.evictExpired()
    expect(cache.size).toBe(0)
    cache.put('a', entry)
    expect(cache.fresh('a')).toBe(entry)
  })

  it('finds the same object again while somebody holds it, after it left its place', () => {
    const { cache } = make()
    const held = { id: 'held' }
    cache.put('held', held)
    for (const id of ['a', 'b', 'c']) cache.put(id, { id })
    expect(cache.fresh('held')).toBeNull()
    expect(cache.living('held')).toBe(held)
  })

  it('forgets what is removed at once', () => {
    const { cache } = make()
    cache.put('a', { id: 'a' })
    cache.put('b', { id: 'b' })
    cache.remove('a')
    expect(cache.living('a')).toBeNull()
    expect([...cache.entries()]).toEqual([{ id: 'b' }])
    cache.clear()
    expect(cache.living('b')).toBeNull()
  })
})
