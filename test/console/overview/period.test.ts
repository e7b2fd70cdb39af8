import { expect, it } from 'vitest'
import { periodOf, spanOf } from '../../../console/src/overview/period.ts'

it('a period stands in the address, and whatever else stands there is the last day', () => {
  expect(periodOf({ period: 'month' })).toBe('month')
  expect(periodOf({ period: 'aeon' })).toBe('day')
  expect(periodOf({})).toBe('day')
})

it('a period is asked for in hours or in days, and a quarter as far back as the service counts', () => {
  expect(spanOf('day')).toEqual({ step: 'hour' })
  expect(spanOf('month')).toEqual({ step: 'day' })
  const noon = Date.parse('2026-11-27T12:00:00Z')
  expect(spanOf('quarter', noon)).toEqual({ step: 'day', from: '2026-08-30T00:00:00.000Z' })
  expect(spanOf('quarter', noon + 3_600_000)).toEqual(spanOf('quarter', noon))
})
