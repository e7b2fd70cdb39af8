import { describe, expect, it } from 'vitest'
import {
  offerItemRateDecider,
  type OfferItemRateTypes,
  roomInMs,
  type TakeOfferItems,
} from '../../../src/actors/offer-item-rate/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const MINUTE_MS = 60_000
const take = (atMs: number, items: number, itemsPerMinute = 100): TakeOfferItems => ({
  type: 'TakeOfferItems',
  atMs,
  tenant: 'ten_00aaaaaaaaaa',
  items,
  itemsPerMinute,
})
const run = (...commands: TakeOfferItems[]) => runDecider<OfferItemRateTypes>(offerItemRateDecider, commands)

describe('the rate of items', () => {
  it('is never exceeded in any sixty seconds, and what is refused does not count', () => {
    const { replies, state } = run(take(0, 60), take(30_000, 40), take(MINUTE_MS, 1), take(MINUTE_MS + 1, 60))
    expect(replies[2]).toMatchObject({ refused: 'rate_limited' })
    expect(replies[3]).not.toHaveProperty('refused')
    expect(state.taken).toEqual([
      { atMs: 30_000, items: 40 },
      { atMs: MINUTE_MS + 1, items: 60 },
    ])
  })

  it('says when there is room, and that is not too early', () => {
    const { state } = run(take(1_000, 60), take(5_000, 40))
    const wait = roomInMs(state, take(6_000, 50))
    expect(wait).toBe(MINUTE_MS + 1 - 5_000)
    expect(run(take(1_000, 60), take(5_000, 40), take(6_000 + wait - 1, 50)).replies[2]).toMatchObject({
      refused: 'rate_limited',
    })
    expect(run(take(1_000, 60), take(5_000, 40), take(6_000 + wait, 50)).replies[2]).not.toHaveProperty(
      'refused',
    )
    expect(roomInMs(state, take(6_000, 70))).toBe(MINUTE_MS + 1 - 1_000)
  })

  it('remembers one entry a second at most, which counts from the last of its items on', () => {
    const each = Array.from({ length: 1_000 }, (_, index) => take(index * 100, 1, 10_000))
    const { state } = run(...each)
    expect(state.taken.length).toBeLessThanOrEqual(62)
    expect(state.taken.at(-1)).toEqual({ atMs: 99_900, items: 10 })
  })

  it('does not stand still where a clock was ahead', () => {
    const ahead = 10 * MINUTE_MS
    expect(run(take(ahead, 100), take(0, 100)).replies[1]).not.toHaveProperty('refused')
    expect(run(take(1_000, 100), take(0, 1)).replies[1]).toMatchObject({ refused: 'rate_limited' })
  })

  it('takes no more at once than fits into it', () => {
    expect(run(take(0, 101)).replies[0]).toMatchObject({ refused: 'rate_limited' })
  })
})
