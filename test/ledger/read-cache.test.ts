import { describe, expect, it } from 'vitest'
import { ReadCache } from '../../src/ledger/read-cache.ts'

describe('the read cache', () => {
  it('shares one read among those who ask at once, and keeps what was found', async () => {
    const asked: string[] = []
    const cache = new ReadCache(async (id) => (asked.push(id), id), 2)
    expect(await Promise.all([cache.get('a'), cache.get('a')])).toEqual(['a', 'a'])
    await cache.get('a')
    expect(asked).toEqual(['a'])
  })

  it('keeps neither absence nor failure', async () => {
    let answer: () => Promise<string | null> = () => Promise.resolve(null)
    const cache = new ReadCache(() => answer(), 2)
    expect(await cache.get('a')).toBeNull()
    answer = () => Promise.reject(new Error('away'))
    await expect(cache.get('a')).rejects.toThrow('away')
    answer = () => Promise.resolve('there')
    expect(await cache.get('a')).toBe('there')
  })

  it('forgets what was not used for longest', async () => {
    const asked: string[] = []
    const cache = new ReadCache(async (id) => (asked.push(id), id), 2)
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.get(id)
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })
})
