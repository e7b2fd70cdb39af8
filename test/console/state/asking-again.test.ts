import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AskingAgain } from '../../../console/src/state/asking-again.ts'
import type { Listener, LiveEvent } from '../../../console/src/state/live-events.ts'

const EVERY_MS = 10_000
const EVENT: LiveEvent = { type: 'credential.state_changed', recordId: 'cre_1' }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A page whose answers come at once, and what it has asked. */
const page = ({ isLive = true, hasEvents = true, isSlow = false } = {}) => {
  const listeners = new Set<Listener>()
  const seers = new Set<() => void>()
  let asked = 0
  let isSeen = true
  let retryAfterSeconds: number | null = null
  const asking = new AskingAgain({
    ask: () => {
      asked += 1
      if (!isSlow) asking.answered(retryAfterSeconds)
    },
    everyMs: EVERY_MS,
    isChangedBy: hasEvents ? ({ recordId }) => recordId === 'cre_1' : null,
    events: {
      isLive,
      listen: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
    },
    sight: {
      isSeen: () => isSeen,
      whenSeen: (listener) => {
        seers.add(listener)
        return () => void seers.delete(listener)
      },
    },
  })
  asking.answered(null)
  return {
    asking,
    asked: () => asked,
    listeners,
    tell: (event: LiveEvent | null) => listeners.forEach((listener) => listener(event)),
    refuse: (seconds: number) => (retryAfterSeconds = seconds),
    look: (is: boolean) => {
      isSeen = is
      if (is) for (const seer of seers) seer()
    },
  }
}

describe('a page that is looked at', () => {
  it('asks by the clock where nothing tells of changes', () => {
    const { asked } = page({ isLive: false })
    vi.advanceTimersByTime(EVERY_MS * 3 + 1)
    expect(asked()).toBe(3)
  })

  it('asks by the clock where no event changes its answer, whether the stream is there or not', () => {
    const { asked, listeners } = page({ hasEvents: false })
    vi.advanceTimersByTime(EVERY_MS * 3 + 1)
    expect(asked()).toBe(3)
    expect(listeners.size).toBe(0)
  })

  it('asks seldom while the stream tells of changes', () => {
    const { asked } = page()
    vi.advanceTimersByTime(EVERY_MS * 5 + 1)
    expect(asked()).toBe(1)
  })

  it('asks soon after an event of its own, once more when the lists have settled, and not after others', () => {
    const { asked, tell } = page()
    vi.advanceTimersByTime(5_000)
    tell({ ...EVENT, recordId: 'cre_2' })
    vi.advanceTimersByTime(5_000)
    expect(asked()).toBe(0)
    tell(EVENT)
    vi.advanceTimersByTime(300)
    expect(asked()).toBe(1)
    vi.advanceTimersByTime(3_000)
    expect(asked()).toBe(2)
    vi.advanceTimersByTime(20_000)
    expect(asked()).toBe(2)
  })

  it('asks once in a while for however many events', () => {
    const { asked, tell } = page()
    for (let count = 0; count < 100; count += 1) {
      tell(EVENT)
      vi.advanceTimersByTime(100)
    }
    expect(asked()).toBeLessThanOrEqual(6)
    vi.advanceTimersByTime(5_000)
    expect(asked()).toBeLessThanOrEqual(8)
  })

  it('hears what happens while its question is under way', () => {
    const { asked, tell, asking } = page({ isSlow: true })
    tell(EVENT)
    vi.advanceTimersByTime(300)
    tell(EVENT)
    expect(asked()).toBe(1)
    asking.answered(null)
    vi.advanceTimersByTime(2_000)
    expect(asked()).toBe(2)
  })

  it('asks when the stream was cut or came back', () => {
    const { asked, tell } = page()
    tell(null)
    vi.advanceTimersByTime(3_000)
    expect(asked()).toBe(1)
    vi.advanceTimersByTime(20_000)
    expect(asked()).toBe(1)
  })

  it('asks not before a time that the service named', () => {
    const { asked, tell, refuse } = page()
    refuse(30)
    tell(EVENT)
    vi.advanceTimersByTime(300)
    expect(asked()).toBe(1)
    tell(EVENT)
    vi.advanceTimersByTime(29_000)
    expect(asked()).toBe(1)
    vi.advanceTimersByTime(1_500)
    expect(asked()).toBe(2)
  })
})

describe('a page that nobody looks at', () => {
  it('asks nothing, and at once when somebody comes back to it', () => {
    const { asked, look } = page({ isLive: false })
    look(false)
    vi.advanceTimersByTime(EVERY_MS * 10)
    expect(asked()).toBe(0)
    look(true)
    expect(asked()).toBe(1)
  })

  it('asks nothing any more once it is left', () => {
    const { asked, asking, tell, listeners } = page()
    asking.stop()
    tell(EVENT)
    vi.advanceTimersByTime(EVERY_MS * 10)
    expect(asked()).toBe(0)
    expect(listeners.size).toBe(0)
  })
})
