import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { Publisher } from '../../src/stream/publisher.ts'
import { PUBLISHER } from '../../src/stream/shard-publisher.ts'
import { record } from '../contract/stream/stream-suite.ts'
import { MemoryParking } from '../host/parts/memory-parking.ts'
import { TailJournal } from './tail-journal.ts'

const world = (open: Set<number>) => {
  const journal = new TailJournal()
  const got: string[] = []
  const publisher = new Publisher(
    {
      journal: journal.port,
      stream: { publish: async (records) => void got.push(...records.map(({ event }) => event.id)) },
      publish: (_actor, stored) => ({ ...record('ten_a', 0).event, id: stored }),
      runtime: createRuntime(),
      parking: new MemoryParking(),
      takeAgain: () => Promise.resolve(),
      report: () => undefined,
    },
    (shard) => open.has(shard),
  )
  return { journal, got, publisher }
}

describe('the publisher', () => {
  it('publishes the shards that are open here, and those alone', async () => {
    const open = new Set([1, 2])
    const { journal, got, publisher } = world(open)
    for (const shard of [1, 2, 3]) journal.commit(shard, `of shard ${shard}`)
    await expect.poll(() => [...got].sort()).toEqual(['of shard 1', 'of shard 2'])
    open.add(3)
    await expect.poll(() => [...got].sort()).toEqual(['of shard 1', 'of shard 2', 'of shard 3'])
    await publisher[Symbol.asyncDispose]()
  })

  it('leaves a shard that moved away, with its position saved', async () => {
    const open = new Set([1])
    const { journal, got, publisher } = world(open)
    journal.commit(1, 'one')
    await expect.poll(() => got).toEqual(['one'])
    open.delete(1)
    await expect.poll(() => publisher.shards).toBe(0)
    await expect.poll(() => journal.positions.get(`${PUBLISHER} 1`)).toEqual({ no: 1, index: 0 })
    journal.commit(1, 'two')
    await publisher[Symbol.asyncDispose]()
    expect(got).toEqual(['one'])
  })
})
