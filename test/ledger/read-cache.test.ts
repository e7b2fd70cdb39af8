import { describe, expect, it } from 'vitest'
import { cachedReads } from '../../src/ledger/read-cache.ts'

type Found = { readonly name: string }

const remembering = (max: number) => {
  const asked: string[] = []
  const read = cachedReads<Found>(max, async (id) => {
    asked.push(id)
    return { name: id }
  })
  return { asked, read }
}

describe('cached reads', () => {
  it('share one read among callers that ask at once, and keep what was found', async () => {
    const { asked, read } = remembering(2)
    expect(await Promise.all([read('a'), read('a')])).toEqual([{ name: 'a' }, { name: 'a' }])
    await read('a')
    expect(asked).toEqual(['a'])
  })

  it('keep neither absence nor failure', async () => {
    let answer: () => Promise<Found | null> = () => Promise.resolve(null)
    const read = cachedReads(2, () => answer())
    expect(await read('a')).toBeNull()
    answer = () => Promise.reject(new Error('away'))
    await expect(read('a')).rejects.toThrow('away')
    answer = () => Promise.resolve({ name: 'there' })
    expect(await read('a')).toEqual({ name: 'there' })
  })

  it('forget the least recently used', async () => {
    const { asked, read } = remembering(2)
    for (const id of ['a', 'b', 'a', 'c', 'a', 'b']) await read(id)
    expect(asked).toEqual(['a', 'b', 'c', 'b'])
  })

  it('answer every caller, also when more are read at once than are kept', async () => {
    const { read } = remembering(2)
    const ids = ['a', 'b', 'c', 'd', 'e']
    expect(await Promise.all(ids.map(read))).toEqual(ids.map((name) => ({ name })))
  })
})
