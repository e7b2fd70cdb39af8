import { afterEach, describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import type { StreamRecord } from '../../src/ports/stream.ts'
import { PUBLISHER, type PublisherParts, ShardPublisher } from '../../src/stream/shard-publisher.ts'
import { record } from '../contract/stream/stream-suite.ts'
import { TailJournal } from './tail-journal.ts'

const publishers: ShardPublisher[] = []
afterEach(async () => {
  await Promise.all(publishers.splice(0).map((each) => each[Symbol.asyncDispose]()))
})

/** A text is the name of its event; `-` tells nothing. */
const world = () => {
  const journal = new TailJournal()
  const got: StreamRecord[] = []
  const faults: unknown[] = []
  const state = { streamIsAway: false }
  const parts: PublisherParts = {
    journal: journal.port,
    stream: {
      publish: async (records) => {
        if (state.streamIsAway) throw new Error('the stream is away')
        got.push(...records)
      },
    },
    publish: (_actor, stored) => (stored === '-' ? null : { ...record('ten_a', 0).event, id: stored }),
    runtime: createRuntime(),
    report: (fault) => faults.push(fault),
  }
  const start = (): ShardPublisher => {
    const publisher = new ShardPublisher(parts, 2)
    publishers.push(publisher)
    journal.port.onCommitted(() => publisher.wake())
    return publisher
  }
  const ids = (): readonly string[] => got.map(({ event }) => event.id)
  return { journal, got, faults, state, start, ids }
}

describe('the publisher of a shard', () => {
  it('publishes what was committed before it came and what comes later, in order, with its place', async () => {
    const { journal, start, got, ids } = world()
    journal.commit(2, 'one', '-', 'two')
    start()
    await expect.poll(ids).toEqual(['one', 'two'])
    journal.commit(2, 'three')
    await expect.poll(ids).toEqual(['one', 'two', 'three'])
    expect(got.map(({ place }) => place)).toEqual([
      { shard: 2, no: 1, index: 0 },
      { shard: 2, no: 1, index: 2 },
      { shard: 2, no: 2, index: 0 },
    ])
  })

  it('remembers where it stood and repeats nothing after an orderly end', async () => {
    const { journal, start, ids } = world()
    journal.commit(2, 'one', 'two')
    const first = start()
    await expect.poll(ids).toEqual(['one', 'two'])
    await first[Symbol.asyncDispose]()
    expect(journal.positions.get(`${PUBLISHER} 2`)).toEqual({ no: 1, index: 1 })
    journal.commit(2, 'three')
    start()
    await expect.poll(ids).toEqual(['one', 'two', 'three'])
  })

  it('saves its position while it runs, also over entries that tell nothing', async () => {
    const { journal, start } = world()
    start()
    journal.commit(2, '-', '-')
    await expect.poll(() => journal.positions.get(`${PUBLISHER} 2`)).toEqual({ no: 1, index: 1 })
  })

  it('saves no position of what the stream did not take, and goes on when it is back', async () => {
    const { journal, start, state, ids, faults } = world()
    state.streamIsAway = true
    journal.commit(2, 'one')
    start()
    await expect.poll(() => faults.length).toBeGreaterThan(1)
    expect(journal.positions.size).toBe(0)
    state.streamIsAway = false
    await expect.poll(ids).toEqual(['one'])
  })

  it('survives a journal that is away, from its start on', async () => {
    const { journal, start, ids, faults } = world()
    journal.isAway = true
    journal.commit(2, 'one')
    start()
    await expect.poll(() => faults.length).toBeGreaterThan(1)
    journal.isAway = false
    await expect.poll(ids).toEqual(['one'])
  })

  it('works off a log that is longer than a page', async () => {
    const { journal, start, ids } = world()
    const names = Array.from({ length: 700 }, (_, index) => `event ${index}`)
    journal.commit(2, ...names)
    start()
    await expect.poll(ids).toEqual(names)
  })

  it('does not look at a log to which nothing is added', async () => {
    const { journal, start, ids } = world()
    journal.commit(2, 'one')
    start()
    await expect.poll(ids).toEqual(['one'])
    await expect.poll(() => journal.positions.size).toBe(1)
    const { reads } = journal
    journal.commit(2, 'two')
    await expect.poll(ids).toEqual(['one', 'two'])
    expect(journal.reads - reads).toBeLessThan(6)
  })
})
