import { describe, expect, it } from 'vitest'
import type { FeedPlace } from '../../src/ports/event-feed.ts'
import { isRefused, type Refused } from '../../src/domain/decider.ts'
import type { PublicEvent } from '../../src/ports/publication.ts'
import type { EventStream } from '../../src/ports/stream.ts'
import { LiveFeed } from '../../src/stream/event-feed.ts'
import { InProcessStream } from '../../src/stream/in-process-stream.ts'
import { records } from '../contract/stream/stream-suite.ts'
import { eventually } from '../eventually.ts'

const settings = {
  listenersOfTenantMax: { api_key: 2, session: 1 },
  listenersOfPersonMax: 1,
  listenersMax: 3,
  eventsKeptMax: 100,
  bytesKeptMax: 1_000_000,
  bytesKeptOfAllMax: 10_000_000,
  eventBytesMax: 250_000,
  beginMs: 5_000,
  lingerMs: 60_000,
}
const nothing = () => undefined
const person = (name: string) => ({ kind: 'session', person: name }) as const

/** A stream that counts who follows it. */
const streamOf = async () => {
  const inner = new InProcessStream()
  await inner.subscribe('webhooks', () => Promise.resolve())
  const seen = { following: 0, failures: 0, lose: () => undefined as void }
  const listen: EventStream['listen'] = async (listener, lost) => {
    seen.lose = lost
    if (seen.failures > 0) {
      seen.failures -= 1
      throw new Error('no broker')
    }
    const listening = await inner.listen(listener)
    seen.following += 1
    return {
      [Symbol.asyncDispose]: async () => {
        seen.following -= 1
        await listening[Symbol.asyncDispose]()
      },
    }
  }
  return { stream: { listen }, publish: inner.publish.bind(inner), seen }
}

const placed = (answer: FeedPlace | Refused): FeedPlace => {
  if (isRefused(answer)) throw new Error(answer.reason)
  return answer
}

describe('the feed of events', () => {
  it('outlives a following that fails to end', async () => {
    let ended = 0
    const failing = {
      listen: async () => ({ [Symbol.asyncDispose]: () => Promise.reject(new Error(`away ${++ended}`)) }),
    }
    await using feed = new LiveFeed(failing, { ...settings, lingerMs: 0 })
    const place = placed(await feed.listen('ten_a', null, nothing))
    place[Symbol.dispose]()
    await eventually(() => expect(ended).toBe(1))
    expect(isRefused(await feed.listen('ten_a', null, nothing))).toBe(false)
  })

  it('hands each organisation its own events and nobody another one’s', async () => {
    const { stream, publish } = await streamOf()
    await using feed = new LiveFeed(stream, settings)
    const mine = placed(await feed.listen('ten_a', null, nothing))
    const theirs = placed(await feed.listen('ten_b', null, nothing))
    await publish([...records('ten_a', 1), ...records('ten_c', 3)])
    expect([mine.next(), mine.next()]).toEqual([records('ten_a', 1)[0]?.event, null])
    expect(theirs.next()).toBeNull()
    const asTheirs = placed(await feed.listen('ten_b', 'evt_ten_a_0', nothing))
    expect([asTheirs.isUnbroken, asTheirs.next()]).toEqual([false, null])
  })

  it('refuses the first listener above the bound of an organisation, and above that of all', async () => {
    const { stream } = await streamOf()
    await using feed = new LiveFeed(stream, settings)
    const first = placed(await feed.listen('ten_a', null, nothing))
    placed(await feed.listen('ten_a', null, nothing))
    expect(await feed.listen('ten_a', null, nothing)).toMatchObject({ refused: 'rate_limited' })
    placed(await feed.listen('ten_b', null, nothing))
    expect(await feed.listen('ten_b', null, nothing)).toMatchObject({ refused: 'overloaded' })
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    placed(await feed.listen('ten_c', null, nothing))
    expect(await feed.listen('ten_a', null, nothing)).toMatchObject({ refused: 'overloaded' })
  })

  it('counts people apart from API keys', async () => {
    const { stream } = await streamOf()
    await using feed = new LiveFeed(stream, settings)
    const ada = placed(await feed.listen('ten_a', null, nothing, person('acc_ada')))
    expect(await feed.listen('ten_a', null, nothing, person('acc_bob'))).toMatchObject({
      refused: 'rate_limited',
    })
    placed(await feed.listen('ten_a', null, nothing))
    placed(await feed.listen('ten_a', null, nothing))
    expect(await feed.listen('ten_a', null, nothing)).toMatchObject({ refused: 'rate_limited' })
    ada[Symbol.dispose]()
    placed(await feed.listen('ten_a', null, nothing, person('acc_bob')))
  })

  it('leaves the other people of an organisation their places, however many tabs one of them has', async () => {
    const { stream } = await streamOf()
    const bounds = { listenersOfTenantMax: { api_key: 2, session: 4 }, listenersOfPersonMax: 2 }
    await using feed = new LiveFeed(stream, { ...settings, ...bounds, listenersMax: 10 })
    const listen = (name: string, tenant = 'ten_a') => feed.listen(tenant, null, nothing, person(name))
    const first = placed(await listen('acc_ada'))
    placed(await listen('acc_ada'))
    expect(await listen('acc_ada')).toMatchObject({
      refused: 'rate_limited',
      reason: 'You have 2 streams open already; close one first.',
    })
    placed(await listen('acc_ada', 'ten_b'))
    placed(await listen('acc_bob'))
    placed(await listen('acc_bob'))
    expect(await listen('acc_eve')).toMatchObject({
      refused: 'rate_limited',
      reason: 'There are 4 streams open already; close one first.',
    })
    first[Symbol.dispose]()
    first[Symbol.dispose]()
    placed(await listen('acc_ada'))
    expect(await listen('acc_ada')).toMatchObject({ refused: 'rate_limited' })
  })

  it('gives a place of whoever has most to an organisation that has fewer, and takes none back and forth', async () => {
    const { stream } = await streamOf()
    await using feed = new LiveFeed(stream, { ...settings, listenersOfTenantMax: { api_key: 3, session: 1 } })
    const theirs = []
    for (let count = 0; count < 3; count++) theirs.push(placed(await feed.listen('ten_a', null, nothing)))
    placed(await feed.listen('ten_b', null, nothing))
    expect(theirs.map((place) => place.next())).toEqual(['displaced', null, null])
    expect(await feed.listen('ten_a', null, nothing)).toMatchObject({ refused: 'overloaded' })
    expect(await feed.listen('ten_b', null, nothing)).toMatchObject({ refused: 'overloaded' })
    placed(await feed.listen('ten_c', null, nothing))
    expect(theirs.map((place) => place.next())).toEqual(['displaced', 'displaced', null])
    expect(await feed.listen('ten_d', null, nothing)).toMatchObject({ refused: 'overloaded' })
  })

  it('keeps so many bytes of all organisations together: first goes what nobody listens to, then of the largest', async () => {
    const { stream, publish } = await streamOf()
    const bounds = { listenersMax: 10, bytesKeptMax: 100_000, bytesKeptOfAllMax: 100_000 }
    await using feed = new LiveFeed(stream, { ...settings, ...bounds })
    const large = (tenant: string, count: number, from = 0) =>
      records(tenant, count, from).map((each) => ({
        ...each,
        event: { ...each.event, sealed: 'x'.repeat(20_000) },
      }))
    const gone = placed(await feed.listen('ten_a', null, nothing))
    const slow = placed(await feed.listen('ten_b', null, nothing))
    const quick = placed(await feed.listen('ten_c', null, nothing))
    await publish(large('ten_a', 1))
    gone[Symbol.dispose]()
    await publish([...large('ten_b', 3), ...large('ten_c', 1)])
    // Four of 20 KB and what nobody listens to: the latter went.
    const back = placed(await feed.listen('ten_a', 'evt_ten_a_0', nothing))
    expect(back.isUnbroken).toBe(false)
    await publish(large('ten_c', 1, 1))
    expect([quick.next(), quick.next()]).toMatchObject([{ id: 'evt_ten_c_0' }, { id: 'evt_ten_c_1' }])
    expect(quick.next()).toBeNull()
    expect(slow.next()).toBe('behind')
  })

  it('ends its places when the stream may have lost something', async () => {
    const { stream, publish, seen } = await streamOf()
    await using feed = new LiveFeed(stream, settings)
    const before = placed(await feed.listen('ten_a', null, nothing))
    await publish(records('ten_a', 1))
    seen.lose()
    expect(before.next()).toBe('lost')
    expect(placed(await feed.listen('ten_a', 'evt_ten_a_0', nothing)).isUnbroken).toBe(false)
  })

  it('gives the place back when the stream does not come, and ends it when it comes too late', async () => {
    const late = Promise.withResolvers<AsyncDisposable>()
    let ended = 0
    const stream = { listen: () => late.promise }
    await using feed = new LiveFeed(stream, { ...settings, listenersMax: 1, beginMs: 20, lingerMs: 20 })
    await expect(feed.listen('ten_a', null, nothing)).rejects.toMatchObject({ code: 'unavailable' })
    // The place is free again, and whoever has it waits no longer either.
    await expect(feed.listen('ten_b', null, nothing)).rejects.toMatchObject({ code: 'unavailable' })
    late.resolve({ [Symbol.asyncDispose]: async () => void ended++ })
    await expect.poll(() => ended).toBeGreaterThan(0)
  })

  it('follows the stream only while somebody listens or may come back', async () => {
    const { stream, seen } = await streamOf()
    await using feed = new LiveFeed(stream, { ...settings, lingerMs: 10 })
    expect(seen.following).toBe(0)
    const one = placed(await feed.listen('ten_a', null, nothing))
    const two = placed(await feed.listen('ten_b', null, nothing))
    expect(seen.following).toBe(1)
    one[Symbol.dispose]()
    two[Symbol.dispose]()
    await expect.poll(() => seen.following).toBe(0)
    placed(await feed.listen('ten_a', null, nothing))
    expect(seen.following).toBe(1)
  })

  it('keeps what happens while its only listener is on the way back', async () => {
    const { stream, publish } = await streamOf()
    await using feed = new LiveFeed(stream, settings)
    const before = placed(await feed.listen('ten_a', null, nothing))
    await publish(records('ten_a', 1))
    before[Symbol.dispose]()
    await publish(records('ten_a', 2, 1))
    const after = placed(await feed.listen('ten_a', 'evt_ten_a_0', nothing))
    expect(after.isUnbroken).toBe(true)
    expect([after.next(), after.next(), after.next()]).toEqual([
      ...records('ten_a', 2, 1).map(({ event }) => event),
      null,
    ])
  })

  it('hands a made-up event to those of its organisation who listen now, and to nobody later', async () => {
    const { stream } = await streamOf()
    await using feed = new LiveFeed(stream, settings)
    const made = records('ten_a', 1)[0]?.event as PublicEvent
    expect(await feed.trigger(made)).toBe(0)
    let woken = 0
    const one = placed(await feed.listen('ten_a', null, () => void woken++))
    const two = placed(await feed.listen('ten_a', null, nothing))
    const theirs = placed(await feed.listen('ten_b', null, nothing))
    expect([one.next(), await feed.trigger(made), woken]).toEqual([null, 2, 1])
    for (const place of [one, two]) expect([place.next(), place.next()]).toEqual([{ synthetic: made }, null])
    expect(theirs.next()).toBeNull()
    two[Symbol.dispose]()
    expect(await feed.trigger(made)).toBe(1)
    const late = placed(await feed.listen('ten_a', null, nothing))
    expect(late.next()).toBeNull()
  })

  it('pushes no event out for one that is made up, and lets nobody go on behind it', async () => {
    const { stream, publish } = await streamOf()
    await using feed = new LiveFeed(stream, { ...settings, eventsKeptMax: 2 })
    const slow = placed(await feed.listen('ten_a', null, nothing))
    await publish(records('ten_a', 2))
    const made = { ...(records('ten_a', 1, 9)[0]?.event as PublicEvent), id: 'evt_test_1' }
    const counts = []
    for (let count = 0; count < 40; count++) counts.push(await feed.trigger(made))
    expect(counts.filter((count) => count === 1)).toHaveLength(16)
    const told = Array.from({ length: 19 }, () => slow.next())
    expect(told).toEqual([
      ...Array.from({ length: 16 }, () => ({ synthetic: made })),
      ...records('ten_a', 2).map(({ event }) => event),
      null,
    ])
    expect(await feed.trigger(made)).toBe(1)
    expect(placed(await feed.listen('ten_a', 'evt_test_1', nothing)).isUnbroken).toBe(false)
  })

  it('remembers no more organisations without a listener than may have one', async () => {
    const { stream, publish } = await streamOf()
    await using feed = new LiveFeed(stream, settings)
    for (const tenant of ['ten_a', 'ten_b', 'ten_c', 'ten_d']) {
      const place = placed(await feed.listen(tenant, null, nothing))
      await publish(records(tenant, 1))
      place[Symbol.dispose]()
    }
    expect(placed(await feed.listen('ten_b', 'evt_ten_b_0', nothing)).isUnbroken).toBe(true)
    expect(placed(await feed.listen('ten_a', 'evt_ten_a_0', nothing)).isUnbroken).toBe(false)
  })

  it('says that it is to be tried again when the stream is away, and takes no place for it', async () => {
    const { stream, seen } = await streamOf()
    await using feed = new LiveFeed(stream, { ...settings, listenersMax: 1 })
    seen.failures = 1
    await expect(feed.listen('ten_a', null, nothing)).rejects.toMatchObject({ code: 'unavailable' })
    placed(await feed.listen('ten_a', null, nothing))
  })
})
