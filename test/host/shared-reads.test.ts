import { describe, expect, it } from 'vitest'
import { SharedReads } from '../../src/host/shared-reads.ts'

/** An actor that answers when the test says so. */
const slow = () => {
  const waiting: { readonly resolve: (value: number) => void; readonly reject: (error: Error) => void }[] = []
  const begin = () => new Promise<number>((resolve, reject) => waiting.push({ resolve, reject }))
  return { waiting, begin, shared: new SharedReads() }
}
type Slow = ReturnType<typeof slow>
const read = ({ shared, begin }: Slow, view = 'record', actor = 'a', tenant: string | null = null) =>
  shared.share(actor, view, tenant, begin)
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('reads at the same time', () => {
  it('are two at most: the one under way, and one that begins after it for all who came meanwhile', async () => {
    const at = slow()
    const { waiting } = at
    const first = read(at)
    const others = Array.from({ length: 300 }, () => read(at))
    expect(waiting).toHaveLength(1)
    waiting[0]?.resolve(1)
    expect(await first).toBe(1)
    await turn()
    expect(waiting).toHaveLength(2)
    waiting[1]?.resolve(2)
    expect(new Set(await Promise.all(others))).toEqual(new Set([2]))
    await turn()
    const later = read(at)
    waiting[2]?.resolve(3)
    expect(await later).toBe(3)
  })

  it('that come while the second runs share a third', async () => {
    const at = slow()
    const { waiting } = at
    const all = [read(at), read(at)]
    waiting[0]?.resolve(1)
    await turn()
    all.push(read(at))
    waiting[1]?.resolve(2)
    await turn()
    waiting[2]?.resolve(3)
    expect(await Promise.all(all)).toEqual([1, 2, 3])
  })

  it('do not share a failure with those who came later', async () => {
    const at = slow()
    const { waiting } = at
    const [first, second] = [read(at), read(at)]
    waiting[0]?.reject(new Error('away'))
    await expect(first).rejects.toThrow('away')
    await turn()
    waiting[1]?.resolve(2)
    expect(await second).toBe(2)
  })

  it('are of one view, one actor and one tenant', () => {
    const at = slow()
    void read(at)
    void read(at, 'other')
    void read(at, 'record', 'b')
    void read(at, 'record', 'a', 't')
    expect(at.waiting).toHaveLength(4)
  })
})
