import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Attempted, Forwarder } from '../../../src/cli/listen/forwarder.ts'
import type { HeardEvent } from '../../../src/cli/listen/heard.ts'
import type { WebhookAnswer } from '../../../src/ports/webhook-sender.ts'

const event = (recordId: string | null, number: number, body = '{}'): HeardEvent => ({
  is: 'event',
  id: `evt_${recordId ?? 'none'}_${number}`,
  type: 'proof.state_changed',
  recordId,
  isSynthetic: false,
  body,
})
const accepted: WebhookAnswer = { status: 204, durationMs: 1, error: null, answer: '' }
const failed: WebhookAnswer = { status: 500, durationMs: 1, error: 'the receiver answered 500', answer: '' }

/** `answers` says how the receiver behaves to an attempt. */
const forwarding = (
  answers: (id: string, attempt: number) => WebhookAnswer | Promise<WebhookAnswer>,
  settings = {},
) => {
  const sent: string[] = []
  const told: Attempted[] = []
  const forwarder = new Forwarder({
    send: async ({ id }, attempt, signal) => {
      sent.push(`${id} ${attempt}`)
      const aborted = Promise.withResolvers<never>()
      signal.addEventListener('abort', () => aborted.reject(new Error('aborted')))
      return Promise.race([answers(id, attempt), aborted.promise])
    },
    told: (attempted) => void told.push(attempted),
    settings,
  })
  return { forwarder, sent, told }
}
const tick = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const ended = async (forwarder: Forwarder): Promise<void> => {
  const ending = forwarder.end(0)
  await tick()
  await ending
}

describe('posting events on', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('keeps the order of a record, and lets no record wait for another', async () => {
    const slow = Promise.withResolvers<WebhookAnswer>()
    const { forwarder, sent } = forwarding((id) => (id === 'evt_a_1' ? slow.promise : accepted))
    for (const each of [event('a', 1), event('a', 2), event('b', 1), event('b', 2), event(null, 1)])
      await forwarder.take(each)
    await tick()
    expect(sent.toSorted()).toEqual(['evt_a_1 1', 'evt_b_1 1', 'evt_b_2 1', 'evt_none_1 1'])
    expect(sent.indexOf('evt_b_1 1')).toBeLessThan(sent.indexOf('evt_b_2 1'))
    expect(forwarder.waiting).toBe(2)
    slow.resolve(accepted)
    await tick()
    expect([sent.at(-1), forwarder.waiting]).toEqual(['evt_a_2 1', 0])
    await ended(forwarder)
  })

  it('tries again after growing pauses, gives up after the last, and goes on with what waits behind it', async () => {
    const { forwarder, sent, told } = forwarding((id) => (id === 'evt_a_1' ? failed : accepted))
    await forwarder.take(event('a', 1))
    await forwarder.take(event('a', 2))
    for (const [pauseMs, attempts] of [
      [0, 1],
      [999, 1],
      [1, 2],
      [2_000, 3],
      [4_000, 4],
      [8_000, 5],
      [15_999, 5],
    ] as const) {
      await tick(pauseMs)
      expect(sent.map((each) => each.split(' ')[0])).toEqual(
        Array.from({ length: attempts }, () => 'evt_a_1'),
      )
    }
    await tick(1)
    expect(sent.slice(-2)).toEqual(['evt_a_1 6', 'evt_a_2 1'])
    expect(told.map(({ attempt, againMs }) => [attempt, againMs])).toEqual([
      [1, 1_000],
      [2, 2_000],
      [3, 4_000],
      [4, 8_000],
      [5, 16_000],
      [6, null],
      [1, null],
    ])
    await ended(forwarder)
  })

  it('takes a receiver that comes back for well', async () => {
    const { forwarder, told } = forwarding((_, attempt) => (attempt < 3 ? failed : accepted))
    await forwarder.take(event('a', 1))
    await tick(3_000)
    expect(told.map(({ answer: { status } }) => status)).toEqual([500, 500, 204])
    expect(forwarder.waiting).toBe(0)
  })

  it('has no more than a few attempts under way', async () => {
    const { forwarder, sent } = forwarding(() => new Promise(() => undefined))
    for (let record = 0; record < 10; record++) await forwarder.take(event(`r${record}`, 1))
    await tick()
    expect(sent).toHaveLength(4)
    await ended(forwarder)
  })

  it('takes no more events than may wait, nor more text', async () => {
    for (const settings of [{ waitingMax: 2 }, { waitingCharactersMax: 8 }]) {
      const first = Promise.withResolvers<WebhookAnswer>()
      const { forwarder } = forwarding((id) => (id === 'evt_a_1' ? first.promise : accepted), settings)
      let taken = 0
      const taking = (async () => {
        for (let number = 1; number <= 4; number++) {
          await forwarder.take(event('a', number, '1234'))
          taken += 1
        }
      })()
      await tick()
      expect([taken, forwarder.waiting]).toEqual([1, 2])
      first.resolve(accepted)
      await taking
      await tick()
      expect([taken, forwarder.waiting]).toEqual([4, 0])
    }
  })

  it('ends with what is under way, begins nothing more, and waits for a silent receiver no longer than it may', async () => {
    const slow = Promise.withResolvers<WebhookAnswer>()
    const { forwarder, sent, told } = forwarding((id) => {
      if (id === 'evt_a_1') return slow.promise
      return id === 'evt_b_1' ? new Promise(() => undefined) : failed
    })
    for (const each of [event('a', 1), event('a', 2), event('b', 1), event('c', 1)])
      await forwarder.take(each)
    await tick()
    let isOver = false
    const ending = forwarder.end(2_000).then(() => (isOver = true))
    slow.resolve(accepted)
    await tick(1_999)
    expect([isOver, told.length]).toEqual([false, 2])
    await tick(1)
    await ending
    await tick(60_000)
    expect(sent).toEqual(['evt_a_1 1', 'evt_b_1 1', 'evt_c_1 1'])
    expect(forwarder.waiting).toBe(3)
  })

  it('lets nobody wait for room when it ends', async () => {
    const { forwarder } = forwarding(() => new Promise(() => undefined), { waitingMax: 1 })
    const taking = forwarder.take(event('a', 1))
    await tick()
    forwarder.stop()
    await taking
    await ended(forwarder)
    expect(forwarder.waiting).toBe(1)
  })
})
