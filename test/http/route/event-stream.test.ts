import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { FeedEnd, FeedPlace, Synthetic, TooLarge } from '../../../src/ports/event-feed.ts'
import { AskFailed } from '../../../src/ports/actors.ts'
import type { PublicEvent } from '../../../src/ports/publication.ts'
import { EventStreaming } from '../../../src/http/route/event-stream.ts'
import { record } from '../../contract/stream/stream-suite.ts'

const HEARTBEAT_MS = 5_000
const CHECK_MS = 1_000
const GREETING = 'retry: 3000\n: events follow as they happen\n\n'
const event = (index: number): PublicEvent => record('ten_a', index).event
const frame = (index: number): string =>
  `id: evt_ten_a_${index}\nevent: credential.state_changed\ndata: {"of":"evt_ten_a_${index}"}\n\n`

/** A stream over a place that the test fills, to an outlet that takes as long as the test wants. */
const begin = (isUnbroken = true) => {
  const waiting: (PublicEvent | TooLarge | Synthetic | FeedEnd)[] = []
  const seen = {
    text: '',
    ended: 0,
    left: 0,
    isFull: false,
    mayGoOn: true,
    isUnknown: false,
    isDisplaced: false,
  }
  const failing = new Map<string, Error>()
  const unreadable: unknown[] = []
  const place: FeedPlace = {
    isUnbroken,
    get isDisplaced() {
      return seen.isDisplaced
    },
    next: () => waiting.shift() ?? null,
    [Symbol.dispose]: () => void seen.left++,
  }
  const streaming = new EventStreaming({
    place,
    bodyOf: async ({ id }) => {
      const error = failing.get(id)
      if (error !== undefined) throw error
      return JSON.stringify({ of: id })
    },
    unreadable: (...about) => unreadable.push(about),
    mayGoOn: async () => {
      if (seen.isUnknown) throw new AskFailed('unavailable', 'the owner is away', 1_000)
      return seen.mayGoOn
    },
    heartbeatMs: HEARTBEAT_MS,
    checkMs: CHECK_MS,
  })
  const flow = streaming.start({
    write: (text) => {
      seen.text += text
      return !seen.isFull
    },
    end: () => {
      seen.ended++
      flow.ended()
    },
  })
  const tell = async (...events: readonly (PublicEvent | TooLarge | Synthetic | FeedEnd)[]) => {
    waiting.push(...events)
    streaming.wake()
    await vi.advanceTimersByTimeAsync(0)
  }
  const drain = async () => {
    flow.drained()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { streaming, flow, seen, waiting, tell, drain, failing, unreadable }
}

describe('a stream of events', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('greets, and then tells each event with its id, its type and the body of a webhook', async () => {
    const { seen, tell, flow } = begin()
    expect(seen.text).toBe(GREETING)
    await tell(event(1), event(2))
    await tell(event(3))
    expect(seen.text).toBe(GREETING + frame(1) + frame(2) + frame(3))
    flow.ended()
    expect(seen.left).toBe(1)
  })

  it('says at its beginning that events are missing', () => {
    expect(begin(false).seen.text).toBe(`${GREETING}event: stream.gap\ndata: {}\n\n`)
  })

  it('shows that it is alive', async () => {
    const { seen } = begin()
    await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
    expect(seen.text).toBe(`${GREETING}: still here\n\n: still here\n\n`)
  })

  it('ends soon after its credential, although nothing happens and nothing is read', async () => {
    const { seen, tell } = begin()
    seen.isFull = true
    await tell(event(1))
    seen.mayGoOn = false
    await vi.advanceTimersByTimeAsync(CHECK_MS)
    expect([seen.ended, seen.left]).toEqual([1, 1])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('goes on until the next heartbeat where it cannot be known whether it may', async () => {
    const { seen } = begin()
    seen.isUnknown = true
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS - 1)
    expect(seen.ended).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(seen.ended).toBe(1)
  })

  it('gives a reader that is behind one event and no more until it has read', async () => {
    const { seen, tell, flow, waiting } = begin()
    seen.isFull = true
    await tell(event(1), event(2), event(3))
    expect([seen.text, waiting.length]).toEqual([GREETING + frame(1), 2])
    seen.isFull = false
    flow.drained()
    await vi.advanceTimersByTimeAsync(0)
    expect(seen.text).toBe(GREETING + frame(1) + frame(2) + frame(3))
  })

  it('ends when the reader reads nothing from one heartbeat to the next', async () => {
    const { seen, tell } = begin()
    seen.isFull = true
    await tell(event(1))
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
    expect(seen.ended).toBe(0)
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
    expect([seen.ended, seen.left]).toEqual([1, 1])
  })

  it('goes on for a reader that is behind at every heartbeat and has read between them', async () => {
    const { seen, tell, drain } = begin()
    seen.isFull = true
    for (let index = 1; index <= 5; index++) {
      await tell(event(index))
      await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
      await drain()
    }
    expect([seen.ended, seen.text]).toEqual([0, GREETING + [1, 2, 3, 4, 5].map(frame).join('')])
    await tell(event(6))
    await vi.advanceTimersByTimeAsync(2 * HEARTBEAT_MS)
    expect(seen.ended).toBe(1)
  })

  it('cuts a reader that is behind off at once when its place is given to somebody else', async () => {
    const { seen, tell } = begin()
    seen.isFull = true
    await tell(event(1))
    seen.isDisplaced = true
    await tell('displaced')
    expect([seen.ended, seen.text, vi.getTimerCount()]).toEqual([1, GREETING + frame(1), 0])
  })

  it('cuts it off as well when it falls behind with the event that was on its way meanwhile', async () => {
    const { seen, streaming, waiting } = begin()
    seen.isFull = true
    waiting.push(event(1), 'displaced')
    streaming.wake()
    seen.isDisplaced = true
    streaming.wake()
    await vi.advanceTimersByTimeAsync(0)
    expect([seen.ended, vi.getTimerCount()]).toEqual([1, 0])
  })

  it.each(['behind', 'lost', 'displaced'] as const)('says that it ends because it is %s', async (reason) => {
    const { seen, tell } = begin()
    await tell(reason)
    expect([seen.ended, seen.text]).toEqual([
      1,
      `${GREETING}event: stream.end\ndata: {"reason":"${reason}"}\n\n`,
    ])
  })

  it('tells nothing more once the credential is not good any more, and ends', async () => {
    const { seen, tell } = begin()
    seen.mayGoOn = false
    await tell(event(1))
    expect([seen.ended, seen.text]).toEqual([1, GREETING])
    const quiet = begin()
    quiet.seen.mayGoOn = false
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS)
    expect(quiet.seen.ended).toBe(1)
  })

  it('ends when an event cannot be told for a while', async () => {
    const { seen, tell, failing, unreadable } = begin()
    failing.set(event(1).id, new AskFailed('unavailable', 'the vault is away', 1_000))
    await tell(event(1))
    expect([seen.ended, seen.left, seen.text, unreadable]).toEqual([1, 1, GREETING, []])
  })

  it('goes on behind an event that can never be told, and says which', async () => {
    const { seen, tell, failing, unreadable } = begin()
    const error = new Error('the key store is damaged')
    failing.set(event(1).id, error)
    await tell(event(1), { tooLarge: 'evt_ten_a_2' }, event(3))
    const missing = (id: string, reason: string): string =>
      `id: ${id}\nevent: stream.left_out\ndata: {"id":"${id}","reason":"${reason}"}\n\n`
    expect(seen.text).toBe(
      GREETING + missing('evt_ten_a_1', 'unreadable') + missing('evt_ten_a_2', 'too_large') + frame(3),
    )
    expect([seen.ended, unreadable]).toEqual([0, [[event(1), error]]])
  })

  it('tells a made-up event without a line of its id, so that no reader goes on behind it', async () => {
    const { seen, tell } = begin()
    await tell(event(1), { synthetic: event(2) }, event(3))
    const [, withoutId = ''] = frame(2).split(/^id: .*\n/m)
    expect(seen.text).toBe(GREETING + frame(1) + withoutId + frame(3))
    expect(withoutId).toMatch(/^event: /)
  })

  it('tells no made-up event either once the credential is not good any more', async () => {
    const { seen, tell } = begin()
    seen.mayGoOn = false
    await tell({ synthetic: event(1) })
    expect([seen.ended, seen.text]).toEqual([1, GREETING])
  })

  it('writes nothing and keeps no clock once it is over', async () => {
    const { seen, tell, flow } = begin()
    flow.ended()
    await tell(event(1))
    await vi.advanceTimersByTimeAsync(3 * HEARTBEAT_MS)
    expect([seen.text, seen.ended, vi.getTimerCount()]).toEqual([GREETING, 0, 0])
  })

  it('gives its place away when nobody wants it', () => {
    const { streaming, seen } = begin()
    streaming.cancel()
    expect([seen.left, vi.getTimerCount()]).toEqual([1, 0])
  })
})
