import { describe, expect, it } from 'vitest'
import { isUnread, notOpened, opened, openedAgain, openingTimer, stepOf } from '../../src/domain/opening.ts'

describe('the message that opens an exchange', () => {
  it('goes out again in the other format when a wallet of which nothing is known is silent', () => {
    const sent = opened(notOpened, 30_000)
    expect(openingTimer(sent)).toEqual([{ id: 'other-format', dueMs: 30_000 }])
    expect([isUnread(sent, 29_999), isUnread(sent, 30_000)]).toEqual([false, true])
    const again = openedAgain(sent)
    expect(again).toEqual({ delivered: false, format: 'hlindy', otherAtMs: null })
    expect([stepOf('offer', sent), stepOf('offer', again)]).toEqual(['offer', 'offer:hlindy'])
  })

  it('goes out once where it is known what the wallet reads, and no third time', () => {
    for (const sent of [opened(notOpened, null), opened(openedAgain(opened(notOpened, 1)), null)]) {
      expect(openingTimer(sent)).toEqual([])
      expect(isUnread(sent, 1e15)).toBe(false)
    }
  })
})
