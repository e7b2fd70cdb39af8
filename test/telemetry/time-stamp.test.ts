import { expect, it, vi } from 'vitest'
import { timeStamp } from '../../src/telemetry/access-line.ts'

it('a time stamp is the time of the call, in ISO 8601 with Z', () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 10, 0, 0, 7) })
  expect(timeStamp()).toBe('2026-11-21T10:00:00.007Z')
  vi.setSystemTime(Date.UTC(2026, 10, 21, 10, 0, 0, 8))
  expect([timeStamp(), timeStamp()]).toEqual(['2026-11-21T10:00:00.008Z', '2026-11-21T10:00:00.008Z'])
  vi.useRealTimers()
})
