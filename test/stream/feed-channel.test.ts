import { describe, expect, it } from 'vitest'
import type { PublicEvent } from '../../src/ports/publication.ts'
import { FeedChannel } from '../../src/stream/feed-channel.ts'
import { record } from '../contract/stream/stream-suite.ts'

const settings = { eventsKeptMax: 4, bytesKeptMax: 100_000, eventBytesMax: 250_000, lingerMs: 60_000 }
const nothing = () => undefined
const event = (index: number): PublicEvent => record('ten_a', index).event
const all = (place: ReturnType<FeedChannel['place']>): readonly unknown[] => {
  const got: unknown[] = []
  for (let next = place.next(); ; next = place.next()) {
    if (next === null) return got
    got.push(typeof next === 'string' || !('id' in next) ? next : next.id)
    if (typeof next === 'string') return got
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

  it('are kept without what is in them when they are too large for it', () => {
    const counts = { bytes: 0 }
    const channel = new FeedChannel({ ...settings, eventBytesMax: 1_000 }, (more) => {
      counts.bytes += more
    })
    const place = channel.place(null, nothing, nothing)
    channel.add({ ...event(0), sealed: 'x'.repeat(50_000) })
    channel.add({ ...event(2), sealed: 'x'.repeat(500) })
    expect(all(place)).toEqual([{ tooLarge: 'evt_ten_a_0' }, 'evt_ten_a_2'])
    expect(counts.bytes).toBe(channel.bytes)
    expect(counts.bytes).toBeLessThan(2_000)
    expect(channel.place('evt_ten_a_0', nothing, nothing).isUnbroken).toBe(true)
    channel.forgetOldest()
    channel[Symbol.dispose]()
    expect([counts.bytes, channel.bytes]).toEqual([0, 0])
  })

  it('end every place where some may be missing, and nobody goes on behind what was before', () => {
    const channel = new FeedChannel(settings)
    for (let index = 0; index < 3; index++) channel.add(event(index))
    let woken = 0
    const [reading, idle] = [
      channel.place('evt_ten_a_0', nothing, nothing),
      channel.place(null, () => void woken++, nothing),
    ]
    channel.lose()
    expect([all(reading), all(idle), woken]).toEqual([['lost'], ['lost'], 1])
    const again = channel.place('evt_ten_a_2', nothing, nothing)
    expect(again.isUnbroken).toBe(false)
    channel.add(event(3))
    expect(all(again)).toEqual(['evt_ten_a_3'])
    for (let index = 4; index < 9; index++) channel.add(event(index))
    expect(all(channel.place('evt_ten_a_5', nothing, nothing))).toHaveLength(3)
    expect(all(again)).toEqual(['behind'])
  })

  it('lose the place that was there first to somebody else, once', () => {
    const channel = new FeedChannel(settings)
    const left: string[] = []
    const woken: string[] = []
    const placeOf = (name: string) =>
      channel.place(
        null,
        () => woken.push(name),
        () => left.push(name),
      )
    const [first, second] = [placeOf('first'), placeOf('second')]
    expect(channel.displaceOldest()).toBe(true)
    expect([left, woken]).toEqual([['first'], ['first']])
    expect([first.isDisplaced, second.isDisplaced]).toEqual([true, false])
    expect([first.next(), second.next()]).toEqual(['displaced', null])
    first[Symbol.dispose]()
    expect(left).toEqual(['first'])
    second[Symbol.dispose]()
    expect(channel.displaceOldest()).toBe(false)
  })

  it('linger for a while when the last listener has left, unless one comes back', async () => {
    const channel = new FeedChannel({ ...settings, lingerMs: 20 })
    let over = 0
    channel.enter({ kind: 'api_key' })
    channel.leave({ kind: 'api_key' }, () => void over++)
    channel.enter({ kind: 'api_key' })
    channel.leave({ kind: 'api_key' }, () => void over++)
    await expect.poll(() => over).toBe(1)
    channel.enter({ kind: 'api_key' })
    channel.leave({ kind: 'api_key' }, () => void over++)
    channel[Symbol.dispose]()
    expect(over).toBe(1)
  })
})
