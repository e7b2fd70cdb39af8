import { beforeEach, describe, expect, it } from 'vitest'
import { UnreadShards } from '../../src/directory/unread-shards.ts'

let waits: { readonly ms: number; readonly end: () => void; readonly close: (error: Error) => void }[]
let read: number[]
let unread: UnreadShards
beforeEach(() => {
  waits = []
  read = []
  unread = new UnreadShards({
    sleep: (ms) => new Promise((end, close) => waits.push({ ms, end, close })),
    read: (shard) => read.push(shard),
  })
})
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('shards with commits', () => {
  it('are read together, each once, and the next ones after a wait of their own', async () => {
    for (const shard of [3, 1, 3]) unread.add(shard)
    expect({ read, waits: waits.length, ms: waits[0]?.ms }).toEqual({ read: [], waits: 1, ms: 200 })
    waits[0]?.end()
    await turn()
    expect(read).toEqual([3, 1])
    unread.add(3)
    expect(waits.length).toBe(2)
    waits[1]?.end()
    await turn()
    expect(read).toEqual([3, 1, 3])
  })

  it('are read by whoever cannot wait, and not again', async () => {
    unread.add(1)
    unread.add(2)
    expect([unread.take(1), unread.take(1), unread.shards]).toEqual([true, false, [2]])
    waits[0]?.end()
    await turn()
    expect(read).toEqual([2])
  })

  it('stay unread where the lists are closed', async () => {
    unread.add(1)
    waits[0]?.close(new Error('closed'))
    await turn()
    expect(read).toEqual([])
  })
})
