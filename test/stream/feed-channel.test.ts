import { describe, expect, it } from 'vitest'
import type { PublicEvent } from '../../src/actors/publication-port.ts'
import { FeedChannel } from '../../src/stream/feed-channel.ts'
import { record } from '../contract/stream/stream-suite.ts'

const settings = { eventsKeptMax: 4, bytesKeptMax: 100_000, lingerMs: 60_000 }
const nothing = () => undefined
const event = (index: number): PublicEvent => record('ten_a', index).event
const all = (place: ReturnType<FeedChannel['place']>): readonly unknown[] => {
  const got: unknown[] = []
  for (let next = place.next(); ; next = place.next()) {
    if (next === null) return got
    got.push(next === 'behind' ? next : next.id)
    if (next === 'behind') return got
  }
}

describe('the events of an organisation that are kept for its listeners', () => {
  it('come to every place from where it stands on, each once', () => {
    const channel = new FeedChannel(settings)
    channel.add(event(0))
    let woken = 0
    const one = channel.place(null, () => void woken++, nothing)
    channel.add(event(1))
    const two = channel.place(null, nothing, nothing)
    channel.add(event(2))
    channel.add(event(2))
    expect(all(one)).toEqual(['evt_ten_a_1', 'evt_ten_a_2'])
    expect(all(two)).toEqual(['evt_ten_a_2'])
    expect(woken).toBe(2)
  })

  it('are taken up behind the one that was seen last, or the place says that some are missing', () => {
    const channel = new FeedChannel(settings)
    for (let index = 0; index < 6; index++) channel.add(event(index))
    const known = channel.place('evt_ten_a_3', nothing, nothing)
    expect([known.isUnbroken, all(known)]).toEqual([true, ['evt_ten_a_4', 'evt_ten_a_5']])
    const forgotten = channel.place('evt_ten_a_1', nothing, nothing)
    expect([forgotten.isUnbroken, all(forgotten)]).toEqual([false, []])
    const last = channel.place('evt_ten_a_5', nothing, nothing)
    expect([last.isUnbroken, all(last)]).toEqual([true, []])
  })

  it('are bounded by number: the last place that is near enough gets all, the first that is not is behind', () => {
    const channel = new FeedChannel(settings)
    const place = channel.place(null, nothing, nothing)
    for (let index = 0; index < 4; index++) channel.add(event(index))
    const late = channel.place('evt_ten_a_0', nothing, nothing)
    channel.add(event(4))
    expect(all(late)).toEqual([1, 2, 3, 4].map((index) => `evt_ten_a_${index}`))
    expect(all(place)).toEqual(['behind'])
  })

  it('are bounded by size, except for one that is larger by itself', () => {
    const large = (index: number): PublicEvent => ({ ...event(index), sealed: 'x'.repeat(60_000) })
    const channel = new FeedChannel(settings)
    const place = channel.place(null, nothing, nothing)
    channel.add(large(0))
    channel.add(large(1))
    expect(all(place)).toEqual(['behind'])
    const next = channel.place(null, nothing, nothing)
    channel.add({ ...large(2), sealed: 'x'.repeat(200_000) })
    expect(all(next)).toEqual(['evt_ten_a_2'])
  })

  it('linger for a while when the last listener has left, unless one comes back', async () => {
    const channel = new FeedChannel({ ...settings, lingerMs: 20 })
    let over = 0
    channel.enter()
    channel.leave(() => void over++)
    channel.enter()
    channel.leave(() => void over++)
    await expect.poll(() => over).toBe(1)
    channel.enter()
    channel.leave(() => void over++)
    channel[Symbol.dispose]()
    expect(over).toBe(1)
  })
})
