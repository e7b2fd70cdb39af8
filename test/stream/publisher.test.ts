import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { Publisher } from '../../src/stream/publisher.ts'
import { PUBLISHER } from '../../src/stream/shard-publisher.ts'
import { record } from '../contract/stream/stream-suite.ts'
import { MemoryParking } from '../host/parts/memory-parking.ts'
import { TailJournal } from './tail-journal.ts'

/** The shards that are open; `change` is what the host tells of. */
const shards = (...numbers: readonly number[]) => {
  const open = new Set(numbers)
  const listeners = new Set<() => void>()
  return {
    isOpen: (shard: number) => open.has(shard),
    onShards: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    change: (change: (open: Set<number>) => void): void => {
      change(open)
      for (const listener of listeners) listener()
    },
    unheard: (shard: number) => open.add(shard),
  }
}

const world = (here: ReturnType<typeof shards>, runtime = createRuntime()) => {
  const journal = new TailJournal()
  const got: string[] = []
  const publisher = new Publisher(
    {
      journal: journal.port,
      stream: { publish: async (records) => void got.push(...records.map(({ event }) => event.id)) },
      publish: (_actor, stored) => ({ ...record('ten_a', 0).event, id: stored }),
      runtime,
      parking: new MemoryParking(),
      takeAgain: () => Promise.resolve(),
      epochOf: () => 1,
      report: () => undefined,
    },
    here,
  )
  return { journal, got, publisher }
}

describe('the publisher', () => {
  it('publishes the shards that are open here, and those alone', async () => {
    const here = shards(1, 2)
    const { journal, got, publisher } = world(here)
    for (const shard of [1, 2, 3]) journal.commit(shard, `of shard ${shard}`)
    await expect.poll(() => [...got].sort()).toEqual(['of shard 1', 'of shard 2'])
    here.change((open) => open.add(3))
    await expect.poll(() => [...got].sort()).toEqual(['of shard 1', 'of shard 2', 'of shard 3'])
    await publisher[Symbol.asyncDispose]()
  })

  it('leaves a shard that moved away, with its position saved', async () => {
    const here = shards(1)
    const { journal, got, publisher } = world(here)
    journal.commit(1, 'one')
    await expect.poll(() => got).toEqual(['one'])
    here.change((open) => open.delete(1))
    await expect.poll(() => publisher.shards).toBe(0)
    await expect.poll(() => journal.positions.get(`${PUBLISHER} 1`)).toEqual({ no: 1, index: 0 })
    journal.commit(1, 'two')
    await publisher[Symbol.asyncDispose]()
    expect(got).toEqual(['one'])
  })
  it('finds shards and commits in time that it was not told of, and else rests', async () => {
    const here = shards(1)
    const real = createRuntime()
    let sleeps = 0
    const fast = {
      ...real,
      monotonicMs: () => real.monotonicMs() * 100,
      sleep: (ms: number, signal?: AbortSignal) => (sleeps++, real.sleep(ms / 100, signal)),
    }
    const { journal, got, publisher } = world(here, fast)
    here.unheard(2)
    journal.commit(2, 'of another')
    await expect.poll(() => got).toEqual(['of another'])
    await expect.poll(() => journal.positions.size).toBe(1)
    ;[sleeps, journal.reads] = [0, 0]
    await real.sleep(1_000)
    expect([sleeps, journal.reads].map((count) => count < 10)).toEqual([true, true])
    await publisher[Symbol.asyncDispose]()
  })
})
