import { describe, expect, it } from 'vitest'
import { onceAMinute } from '../../../src/cluster/link/once-a-minute.ts'

describe('what is logged once a minute', () => {
  it('is said at once, then again after a minute with how often it has happened since', () => {
    let nowMs = 0
    const isToLog = onceAMinute(() => nowMs)
    expect(isToLog('one')).toBe(1)
    expect([isToLog('one'), isToLog('one'), isToLog('other')]).toEqual([null, null, 1])
    nowMs = 60_000
    expect(isToLog('one')).toBe(3)
    expect(isToLog('one')).toBeNull()
  })

  it('remembers a bounded number of kinds, the rest together', () => {
    const isToLog = onceAMinute(() => 0)
    const counts = Array.from({ length: 1_000 }, (_, index) => isToLog(`kind ${index}`))
    expect(counts.filter((count) => count !== null)).toHaveLength(513)
  })
})
