import { expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { pauseAfterMs } from '../../../src/actors/webhook-delivery/rules.ts'

it('the pauses double from five seconds and end at an hour, two and a half hours for all attempts', () => {
  const pauses = Array.from({ length: limits.webhookAttemptsMax - 1 }, (_, index) => pauseAfterMs(index + 1))
  expect(pauses.map((ms) => ms / 1_000)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600])
  const hours = pauses.reduce((sum, ms) => sum + ms, 0) / 3_600_000
  expect(hours).toBeCloseTo(2.42, 2)
  expect(pauseAfterMs(1_000)).toBe(3_600_000)
})
