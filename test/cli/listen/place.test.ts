import { describe, expect, it } from 'vitest'
import { Place } from '../../../src/cli/listen/place.ts'

describe('the place where another run goes on', () => {
  it('is behind everything that is settled, however the rest of it ends', () => {
    const place = new Place(null)
    expect(place.last).toBeNull()
    for (const id of ['a', 'b', 'c', 'd']) place.begin(id)
    expect(place.last).toBeNull()
    place.settle('b')
    expect(place.last).toBeNull()
    place.settle('a')
    expect(place.last).toBe('b')
    place.settle('d')
    expect(place.last).toBe('b')
    place.settle('c')
    expect(place.last).toBe('d')
  })

  it('is where this run has begun as long as nothing is settled', () => {
    const place = new Place('z')
    expect(place.last).toBe('z')
    place.begin('a')
    expect(place.last).toBe('z')
    place.settle('a')
    expect(place.last).toBe('a')
  })
})
