import { afterEach, describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { type HeldEvent, ParkingFull } from '../../src/ports/parking.ts'
import type { Runtime } from '../../src/ports/runtime.ts'
import { EventRefused, type StreamRecord } from '../../src/ports/stream.ts'
import { PUBLISHER, type PublisherParts, ShardPublisher } from '../../src/stream/shard-publisher.ts'
import { record } from '../contract/stream/stream-suite.ts'
import { MemoryParking } from '../host/parts/memory-parking.ts'
import { TailJournal } from './tail-journal.ts'

const publishers: ShardPublisher[] = []
afterEach(async () => {
  await Promise.all(publishers.splice(0).map((each) => each[Symbol.asyncDispose]()))
})

/** Ten times as fast as the clock: positions are saved seconds after the stream took something. */
const fast = (runtime: Runtime): PublisherParts['runtime'] => ({
  random: () => runtime.random(),
  now: () => runtime.now(),
  monotonicMs: () => runtime.monotonicMs() * 10,
  sleep: (ms, signal) => runtime.sleep(ms / 10, signal),
})

/** A text is the name of its event; `-` tells nothing. */
const world = () => {
  const journal = new TailJournal()
  const got: StreamRecord[] = []
  const faults: unknown[] = []
  const state = { streamIsAway: false, unreadable: new Set<string>(), refused: '', epoch: 1 }
  const parking = new MemoryParking()
  const taken: string[] = []
  const parts: PublisherParts = {
    journal: journal.port,
    stream: {
      publish: async (records) => {
        if (state.streamIsAway) throw new Error('the stream is away')
        const refused = records.findIndex(({ event }) => event.id === state.refused)
        got.push(...(refused < 0 ? records : records.slice(0, refused)))
        if (refused >= 0) throw new EventRefused(refused)
      },
    },
    publish: (_actor, stored) => {
      if (state.unreadable.has(stored)) throw new Error('cannot be read')
      return stored === '-' ? null : { ...record('ten_a', 0).event, id: stored }
    },
    parking,
    takeAgain: async (event) => void taken.push(event.id),
    epochOf: () => state.epoch,
    runtime: fast(createRuntime()),
    report: (fault) => faults.push(fault),
  }
  const start = (): ShardPublisher => {
    const publisher = new ShardPublisher(parts, 2)
    publishers.push(publisher)
    journal.port.onCommitted(() => publisher.wake())
    return publisher
  }
  const ids = (): readonly string[] => got.map(({ event }) => event.id)
  return { journal, got, faults, state, parking, taken, start, ids }
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

  it('says at once what it has passed, and saves its position later', async () => {
    const { journal, start, ids } = world()
    journal.commit(2, 'one', '-')
    start()
    await expect.poll(() => journal.passed.get(`${PUBLISHER} 2`)).toEqual({ no: 1, index: 1 })
    expect([ids(), journal.positions.size]).toEqual([['one'], 0])
  })

  it('passes nothing that the stream did not take, and goes on when it is back', async () => {
    const { journal, start, state, ids, faults } = world()
    state.streamIsAway = true
    journal.commit(2, 'one')
    start()
    await expect.poll(() => faults.length).toBeGreaterThan(1)
    expect([journal.positions.size, journal.passed.size]).toEqual([0, 0])
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

  it('says of an event that nobody can have seen it, the first time and since the shard was opened here', async () => {
    const { journal, start, state, got, ids, faults } = world()
    const firsts = () => got.flatMap(({ event, isFirst }) => (isFirst === true ? [event.id] : []))
    journal.commit(2, 'of the owner before')
    journal.epoch = state.epoch = 2
    start()
    await expect.poll(ids).toEqual(['of the owner before'])
    journal.commit(2, 'one')
    await expect.poll(firsts).toEqual(['one'])
    state.streamIsAway = true
    journal.commit(2, 'two')
    await expect.poll(() => faults.length).toBeGreaterThan(0)
    state.streamIsAway = false
    await expect.poll(ids).toEqual(['of the owner before', 'one', 'two'])
    journal.commit(2, 'three')
    await expect.poll(firsts).toEqual(['one', 'three'])
  })

  it('says so of nothing that came with a later opening of the shard, which another publisher follows', async () => {
    const { journal, start, state, got, ids } = world()
    start()
    journal.commit(2, 'one')
    await expect.poll(ids).toEqual(['one'])
    journal.epoch = state.epoch = 2
    journal.commit(2, 'two')
    await expect.poll(ids).toEqual(['one', 'two'])
    expect(got.map(({ isFirst }) => isFirst)).toEqual([true, undefined])
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

describe('a record whose event cannot be read', () => {
  const BROKEN = 'cre_02broken00'
  const RETRIED = 'prk_02ofthisshard'

  it('waits with all that comes after, and holds up no other', async () => {
    const { journal, start, state, parking, ids } = world()
    state.unreadable.add('b2')
    journal.commitOf(BROKEN, 2, 'b1', 'b2', 'b3')
    journal.commit(2, 'one')
    const publisher = start()
    await expect.poll(ids).toEqual(['b1', 'one'])
    journal.commitOf(BROKEN, 2, 'b4')
    journal.commit(2, 'two')
    await expect.poll(ids).toEqual(['b1', 'one', 'two'])
    expect(parking.parked).toMatchObject([
      { part: 'events', recordId: BROKEN, from: { seq: 2, no: 1, index: 1 } },
    ])
    expect([publisher.parked('events'), publisher.parked('lists')]).toEqual([1, 0])
    await expect.poll(() => journal.positions.get(`${PUBLISHER} 2`)).toEqual({ no: 4, index: 0 })
  })

  it('is published in its order when it is tried again and can be read, also by the next owner', async () => {
    const { journal, start, state, parking, ids } = world()
    state.unreadable.add('b1')
    journal.commitOf(BROKEN, 2, 'b1', 'b2')
    journal.commit(2, 'one')
    const first = start()
    await expect.poll(ids).toEqual(['one'])
    await first[Symbol.asyncDispose]()
    parking.askRetry(`events ${BROKEN}`)
    journal.commitOf(RETRIED, 2, '-')
    start()
    await expect.poll(() => parking.kept).toEqual([`events ${BROKEN}`])
    state.unreadable.clear()
    parking.askRetry(`events ${BROKEN}`)
    journal.commitOf(RETRIED, 2, '-')
    journal.commitOf(BROKEN, 2, 'b3')
    await expect.poll(() => new Set(ids())).toEqual(new Set(['one', 'b1', 'b2', 'b3']))
    expect(ids().slice(1, 3)).toEqual(['b1', 'b2'])
    expect(parking.parked).toEqual([])
  })

  it('stops the shard where nothing more can be parked, after what stands before it, until it can be read', async () => {
    const { journal, start, state, parking, faults, ids } = world()
    parking.isFull = true
    state.unreadable.add('b1')
    journal.commit(2, 'one')
    journal.commitOf(BROKEN, 2, 'b1')
    journal.commit(2, 'two')
    start()
    await expect.poll(() => faults.length).toBeGreaterThan(1)
    expect(ids()).toEqual(['one'])
    state.unreadable.clear()
    await expect.poll(ids).toEqual(['one', 'b1', 'two'])
  })

  it('may be one that the stream refuses: it waits as well, until the stream takes it', async () => {
    const { journal, start, state, parking, ids } = world()
    state.refused = 'b2'
    journal.commitOf(BROKEN, 2, 'b1', 'b2', 'b3')
    journal.commit(2, 'one')
    start()
    await expect.poll(ids).toEqual(['b1', 'one'])
    expect(parking.parked).toMatchObject([{ part: 'stream', recordId: BROKEN, from: { seq: 2 } }])
    for (const refused of ['b2', '']) {
      state.refused = refused
      parking.askRetry(`stream ${BROKEN}`)
      journal.commitOf(RETRIED, 2, '-')
      await expect.poll(() => parking.parked.some(({ isRetryAsked }) => isRetryAsked)).toBe(false)
    }
    expect([ids(), parking.kept]).toEqual([['b1', 'one', 'b2', 'b3'], [`stream ${BROKEN}`]])
  })

  it('that the stream refuses stops the shard where nothing more can be parked, and a retry makes room for it', async () => {
    const { journal, start, state, parking, faults, ids } = world()
    parking.capacity = 1
    await parking.park(2, {
      part: 'stream',
      recordId: 'cre_02otherrec',
      from: { seq: 1, no: 0, index: 0 },
      error: new Error(),
    })
    state.refused = 'b2'
    journal.commit(2, 'one')
    journal.commitOf(BROKEN, 2, 'b1', 'b2')
    journal.commit(2, 'two')
    start()
    await expect.poll(() => faults.length).toBeGreaterThan(2)
    // What stands before it is published once, however often it is tried.
    expect(ids()).toEqual(['one', 'b1'])
    for (const fault of faults) expect((fault as { error: unknown }).error).toBeInstanceOf(ParkingFull)
    await expect.poll(() => journal.positions.get(`${PUBLISHER} 2`)).toEqual({ no: 2, index: 0 })
    parking.askRetry('stream cre_02otherrec')
    await expect.poll(ids).toEqual(['one', 'b1', 'two'])
    expect(parking.parked).toMatchObject([{ part: 'stream', recordId: BROKEN, from: { seq: 2 } }])
  })

  it('may be an endpoint: the events that wait for it are taken in again in their order', async () => {
    const { journal, start, parking, taken, ids } = world()
    journal.commit(2, 'one', 'two')
    start()
    await expect.poll(ids).toEqual(['one', 'two'])
    const recordId = 'cre_02aaaaaaaa'
    for (const id of ['two', 'one']) {
      const held = { ...record('ten_a', 0).event, id, recordId }
      await parking.park(2, { part: 'webhooks', recordId: `whk_${id}`, held, error: new Error() })
      parking.askRetry(`webhooks whk_${id}`)
    }
    journal.commitOf(RETRIED, 2, '-')
    await expect.poll(() => taken).toEqual(['two', 'one'])
    await expect.poll(() => parking.parked).toEqual([])
  })

  it('may be an endpoint for which an event waits that is in the journal of another actor than its record', async () => {
    const { journal, start, parking, taken, ids } = world()
    const actor = 'mbx_02aaaaaaaa'
    const named = `evt_${actor}_1`
    const unnamed = `evt_${actor}_2`
    journal.commitOf(actor, 2, named, unnamed)
    start()
    await expect.poll(ids).toEqual([named, unnamed])
    for (const [id, of] of [
      [named, { actor }],
      // As an older release held it.
      [unnamed, {}],
    ] as const) {
      const held = { ...record('ten_a', 0).event, id, recordId: 'wal_02aaaaaaaa', ...of }
      await parking.park(2, { part: 'webhooks', recordId: `whk_${id}`, held, error: new Error() })
      parking.askRetry(`webhooks whk_${id}`)
    }
    journal.commitOf(RETRIED, 2, '-')
    await expect.poll(() => taken).toEqual([named, unnamed])
    await expect.poll(() => parking.parked).toEqual([])
    expect(parking.kept).toEqual([])
  })

  it('may be an endpoint for which an event waits that is in no journal any more, and lets the others go', async () => {
    const { journal, start, parking, taken, ids } = world()
    journal.commit(2, 'one', 'two')
    start()
    await expect.poll(ids).toEqual(['one', 'two'])
    const held = ['one', 'folded', 'two'].map((id) => ({ id, recordId: 'cre_02aaaaaaaa' }))
    const recordId = 'whk_02aaaaaaaa'
    const tryAgain = async (waiting: readonly HeldEvent[]) => {
      await parking.park(2, { part: 'webhooks', recordId, error: new Error() })
      parking.parked = parking.parked.map((each) => ({ ...each, held: waiting }))
      parking.askRetry(`webhooks ${recordId}`)
      journal.commitOf(RETRIED, 2, '-')
      await expect.poll(() => parking.parked.some(({ isRetryAsked }) => isRetryAsked)).toBe(false)
    }
    // Another node may have yet to copy it there.
    await tryAgain(held.map((each) => ({ ...each, sinceMs: Date.now() })))
    expect([taken, parking.kept]).toEqual([[], [`webhooks ${recordId}`]])
    await tryAgain(held.map((each) => ({ ...each, sinceMs: Date.now() - 3_600_000 })))
    expect([taken, parking.parked]).toEqual([['one', 'two'], []])
    await tryAgain(held)
    expect([taken, parking.parked]).toEqual([['one', 'two', 'one', 'two'], []])
  })
})
