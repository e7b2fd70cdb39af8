import { describe, expect, it } from 'vitest'
import {
  isOpenedTwice,
  isUnread,
  notOpened,
  opened,
  openedAgain,
  openingTimer,
  stepOf,
} from '../../src/domain/opening.ts'

const first = { ...notOpened, steps: [['offer-sent', 1]] as const }
const sentAt = (atMs: number, otherAtMs: number | null) => ({ atMs, otherAtMs })

describe('the message that opens an exchange', () => {
  it('goes out again in the other format when a wallet of which nothing is known is silent', () => {
    const sent = opened(first, 'offer', sentAt(2, 30_000))
    expect(openingTimer(sent)).toEqual([{ id: 'other-format', dueMs: 30_000 }])
    expect([isUnread(sent, 29_999), isUnread(sent, 30_000)]).toEqual([false, true])
    const again = openedAgain(sent)
    expect(again).toMatchObject({ delivered: false, format: 'hlindy', otherAtMs: null })
    expect(opened(again, 'offer', sentAt(30_001, null)).steps).toEqual([
      ['offer-sent', 1],
      ['out:offer', 2],
      ['out:offer', 30_001],
    ])
    expect([isOpenedTwice(sent), isOpenedTwice(again)]).toEqual([false, true])
    expect([stepOf('offer', sent), stepOf('offer', again)]).toEqual(['offer', 'offer:hlindy'])
  })

  it('goes out once where it is known what the wallet reads, and no third time', () => {
    for (const sent of [
      opened(first, 'offer', sentAt(2, null)),
      opened(openedAgain(opened(first, 'offer', sentAt(2, 3))), 'offer', sentAt(4, null)),
    ]) {
      expect(openingTimer(sent)).toEqual([])
      expect(isUnread(sent, 1e15)).toBe(false)
    }
  })
})
