import { describe, expect, it } from 'vitest'
import type { Actors, AskOptions } from '../../src/ports/actors.ts'
import { sharingReads } from '../../src/host/shared-reads.ts'

const reading: AskOptions = { commandId: '', timeoutMs: 1, tenant: null }

/** An actor that answers when it is told to, with how often it was asked before. */
const slow = () => {
  const waiting: { readonly resolve: (value: number) => void; readonly reject: (error: Error) => void }[] = []
  const actors: Actors = {
    ask: <Reply>() =>
      new Promise<Reply>((resolve, reject) => waiting.push({ resolve: resolve as never, reject })),
    askTogether: () => Promise.resolve([]),
  }
  return { waiting, shared: sharingReads(actors) }
}
const read = (actors: Actors, type = 'Read', actor = 'a', options = reading) =>
  actors.ask<number>(actor, { type }, options)
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('reads at the same time', () => {
  it('are two at most: the one under way, and one that begins after it for all who came meanwhile', async () => {
    const { waiting, shared } = slow()
    const first = read(shared)
    const others = Array.from({ length: 300 }, () => read(shared))
    expect(waiting).toHaveLength(1)
    waiting[0]?.resolve(1)
    expect(await first).toBe(1)
    await turn()
    expect(waiting).toHaveLength(2)
    waiting[1]?.resolve(2)
    expect(new Set(await Promise.all(others))).toEqual(new Set([2]))
    await turn()
    const later = read(shared)
    waiting[2]?.resolve(3)
    expect(await later).toBe(3)
  })

  it('that come while the second runs share a third', async () => {
    const { waiting, shared } = slow()
    const all = [read(shared), read(shared)]
    waiting[0]?.resolve(1)
    await turn()
    all.push(read(shared))
    waiting[1]?.resolve(2)
    await turn()
    waiting[2]?.resolve(3)
    expect(await Promise.all(all)).toEqual([1, 2, 3])
  })

  it('do not share a failure with those who came later', async () => {
    const { waiting, shared } = slow()
    const [first, second] = [read(shared), read(shared)]
    waiting[0]?.reject(new Error('away'))
    await expect(first).rejects.toThrow('away')
    await turn()
    waiting[1]?.resolve(2)
    expect(await second).toBe(2)
  })

  it('are of one kind, one actor and one tenant, and change nothing', () => {
    const { waiting, shared } = slow()
    void read(shared)
    void read(shared, 'Other')
    void read(shared, 'Read', 'b')
    void read(shared, 'Read', 'a', { ...reading, tenant: 't' })
    void read(shared, 'Read', 'a', { ...reading, commandId: 'c' })
    void shared.ask('a', { type: 'Read', hash: 'x' }, reading)
    expect(waiting).toHaveLength(6)
  })
})
