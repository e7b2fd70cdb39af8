import { describe, expect, it } from 'vitest'
import { cachedReads, keepsNothing, type KeptReads } from '../../src/ledger/read-cache.ts'

type Found = { readonly name: string }

type Settings = { readonly max?: number; readonly absentMs?: number; readonly kept?: KeptReads<Found> }

const reading = (
  read: (id: string) => Promise<Found | null>,
  { max = 2, absentMs = 1, kept = keepsNothing }: Settings = {},
) => cachedReads<Found>({ max, absentMs, kept, read })

const remembering = (max: number) => {
  const asked: string[] = []
  const { read } = reading(
    async (id) => {
      asked.push(id)
      return { name: id }
    },
    { max },
  )
  return { asked, read }
}

describe('cached reads', () => {
  it('share one read among callers that ask at once, and keep what was found', async () => {
    const { asked, read } = remembering(2)
    expect(await Promise.all([read('a'), read('a')])).toEqual([{ name: 'a' }, { name: 'a' }])
    await read('a')
    expect(asked).toEqual(['a'])
  })

  it('keep failure never', async () => {
    let answer: () => Promise<Found | null> = () => Promise.reject(new Error('away'))
    const { read } = reading(() => answer())
    await expect(read('a')).rejects.toThrow('away')
    answer = () => Promise.resolve({ name: 'there' })
    expect(await read('a')).toEqual({ name: 'there' })
  })

  it('know absence for a moment, and not where something is to be written', async () => {
    let there = false
    let asked = 0
    const reads = reading(
      () => {
        asked += 1
        return Promise.resolve(there ? { name: 'there' } : null)
      },
      { absentMs: 60_000 },
    )
    expect([await reads.read('a'), await reads.read('a'), asked]).toEqual([null, null, 1])
    there = true
    expect(await reads.read('a')).toBeNull()
    expect(await reads.fresh('a')).toEqual({ name: 'there' })
    expect(await reads.read('a')).toEqual({ name: 'there' })
    expect(asked).toBe(2)
  })

  it('have what was written just now, although it was not there a moment ago', async () => {
    const reads = reading(() => Promise.resolve(null), { absentMs: 60_000 })
    expect(await reads.read('a')).toBeNull()
    await reads.put('a', { name: 'written' })
    expect(await reads.read('a')).toEqual({ name: 'written' })
  })

  it('find again what an earlier process has found', async () => {
    const files = new Map<string, Found>()
    const kept: KeptReads<Found> = {
      get: (id) => Promise.resolve(files.get(id) ?? null),
      put: (id, value) => Promise.resolve(void files.set(id, value)),
    }
    await reading((id) => Promise.resolve({ name: id }), { kept }).read('a')
    const later = reading(() => Promise.reject(new Error('away')), { kept })
    expect(await later.read('a')).toEqual({ name: 'a' })
    await expect(later.read('b')).rejects.toThrow('away')
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
