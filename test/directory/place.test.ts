import { describe, expect, it } from 'vitest'
import { dayOf, firstPlaceOf, placeOf, startOfDay } from '../../src/directory/place.ts'

const now = Date.parse('2026-11-21T13:00:00Z')

describe('a place', () => {
  it('goes by time first', () => {
    for (let n = 0; n < 1_000; n++) {
      const place = placeOf(now, `con_${n}`)
      expect(place).toBeGreaterThanOrEqual(firstPlaceOf(now))
      expect(place).toBeLessThan(firstPlaceOf(now + 1))
    }
  })

  it('is the same for the same record, and mostly another for its neighbour', () => {
    expect(placeOf(now, 'con_1')).toBe(placeOf(now, 'con_1'))
    expect(new Set(Array.from({ length: 100 }, (_, n) => placeOf(now, `con_${n}`))).size).toBeGreaterThan(90)
  })

  it('is exact until long after this century has begun to end', () => {
    expect(Number.isSafeInteger(placeOf(Date.parse('2099-01-01T00:00:00Z'), 'x'))).toBe(true)
  })
})

it('a day begins at midnight UTC, also before 1970', () => {
  expect(startOfDay(dayOf(now))).toBe(Date.parse('2026-11-21T00:00:00Z'))
  expect(dayOf(-1)).toBe(-1)
})
