import { describe, expect, it } from 'vitest'
import { HOLDER_WAIT_MS } from '../../src/domain/exchange.ts'
import {
  isLastWordNote,
  isOwedNow,
  lastWordAfter,
  lastWordEvent,
  lastWordTimer,
  owedAck,
  owedProblem,
  type LastWord,
  type LastWordCommand,
} from '../../src/domain/last-word.ts'

const ENDED_MS = 1_000_000

const over = (lastWord: LastWord | null) => ({ lastWord, status: 'done', updatedAtMs: ENDED_MS })
const after = (lastWord: LastWord | null, command: LastWordCommand): LastWord | null => {
  const event = lastWordEvent(over(lastWord), command)
  return event === null ? lastWord : lastWordAfter(over(lastWord), event)
}
const recorded = (became: 'delivered' | 'failed' | 'never', atMs = ENDED_MS) =>
  ({ type: 'RecordLastWord', became, atMs }) as const

describe('the last word of an exchange', () => {
  it('leaves a note that may be lost only where it was heard', () => {
    expect(
      (['delivered', 'failed', 'never'] as const).map((became) => isLastWordNote(recorded(became))),
    ).toEqual([true, false, false])
    expect(isLastWordNote({ type: 'RetryLastWord' })).toBe(false)
  })

  it('is owed until it was delivered', () => {
    expect(isOwedNow(over(owedAck))).toBe(true)
    expect(after(owedAck, recorded('delivered'))).toBeNull()
    expect(lastWordEvent(over(null), recorded('delivered'))).toBeNull()
    expect(owedProblem(null)).toBeNull()
  })

  it('that can never be delivered is given up at once', () => {
    expect(after(owedProblem('Too late.'), recorded('never'))).toBeNull()
  })

  it('is tried six times in a day where each attempt fails', () => {
    let word: LastWord | null = owedProblem('Too late.')
    const triedMs: number[] = []
    for (let atMs = ENDED_MS; word !== null; atMs = lastWordTimer(over(word))[0]?.dueMs ?? atMs) {
      word = after(word, { type: 'RetryLastWord', atMs })
      expect([isOwedNow(over(word)), lastWordTimer(over(word))]).toEqual([true, []])
      triedMs.push(atMs - ENDED_MS)
      word = after(word, recorded('failed', atMs + 1))
      expect(word?.problem ?? 'Too late.').toBe('Too late.')
    }
    expect(triedMs).toEqual([0, 10_000, 300_000, 4_200_000, 28_800_000, 72_000_000])
    expect(triedMs.at(-1)).toBeLessThan(HOLDER_WAIT_MS)
  })

  it('is not tried early, and leaves out the times that a stop has missed', () => {
    const waiting = after(owedAck, recorded('failed'))
    expect(lastWordEvent(over(waiting), { type: 'RetryLastWord', atMs: ENDED_MS + 9_999 })).toBeNull()
    expect(lastWordEvent(over(waiting), recorded('failed', ENDED_MS + 10_000))).toBeNull()
    const hours = (count: number): number => ENDED_MS + count * 3_600_000
    expect(after(owedAck, recorded('failed', hours(9)))).toEqual({ problem: null, nextAtMs: hours(20) })
    expect(after(owedAck, recorded('failed', hours(21)))).toBeNull()
  })

  it('that nothing is left of cannot change any more', () => {
    expect(() => lastWordAfter(over(null), { type: 'LastWordDue', atMs: 1 })).toThrow(/is impossible in/)
  })
})
