import { describe, expect, it } from 'vitest'
import { KeyReads } from '../../../src/persistence/vault/key-reads.ts'
import type { StoredKeys } from '../../../src/persistence/vault/key-store-port.ts'

describe('reads of keys', () => {
  const store = () => {
    const asked: (readonly string[])[] = []
    const gone = new Map<string, StoredKeys>()
    const stored = (record: string): StoredKeys => gone.get(record) ?? []
    const reads = new KeyReads({
      readKeys: async (record) => {
        asked.push([record])
        return stored(record)
      },
      readKeysOf: async (records) => {
        asked.push(records)
        return new Map(records.map((record) => [record, stored(record)]))
      },
    })
    return { asked, gone, reads }
  }

  it('are one where they are asked for in one turn, however often each is named', async () => {
    const { asked, gone, reads } = store()
    gone.set('b', 'erased')
    const found = await Promise.all(['a', 'b', 'a', 'c'].map((record) => reads.read(record)))
    expect(found).toEqual([[], 'erased', [], []])
    expect(asked).toEqual([['a', 'b', 'c']])
  })

  it('begin when they are asked for: what was erased while another one was under way is gone', async () => {
    const { asked, gone, reads } = store()
    const before = reads.read('a')
    await Promise.resolve()
    gone.set('a', 'erased')
    expect(await reads.read('a')).toBe('erased')
    expect(await before).toEqual([])
    expect(asked).toEqual([['a'], ['a']])
  })

  it('are of a hundred records at most, and fail together', async () => {
    const { asked, reads } = store()
    await Promise.all(Array.from({ length: 250 }, (_, index) => reads.read(`r${index}`)))
    expect(asked.map(({ length }) => length)).toEqual([100, 100, 50])
    const failing = new KeyReads({
      readKeys: () => Promise.reject(new Error('away')),
      readKeysOf: () => Promise.reject(new Error('away')),
    })
    await expect(Promise.all([failing.read('a'), failing.read('b')])).rejects.toThrow('away')
    await expect(failing.read('a')).rejects.toThrow('away')
  })
})
