import { describe, expect, it } from 'vitest'
import { eventCount, parseShape, shapeOf, timersOf } from '../../../src/persistence/sqlite/slot-shape.ts'
import { entry, timer } from '../../contract/journal/parts/slots.ts'

describe('the shape of a slot', () => {
  it('is left out when each entry has one event and no timers', () => {
    expect(shapeOf([entry('a', 1), entry('b', 1)])).toBeNull()
    expect(parseShape(null)).toBeNull()
  })

  it('counts the events of each entry', () => {
    const shapes = parseShape(shapeOf([entry('a', 1, { events: 3 }), entry('b', 1)]))
    expect(shapes?.map(eventCount)).toEqual([3, 1])
    expect(shapes?.map((shape) => timersOf(shape, 'a'))).toEqual([
      { set: [], cleared: [] },
      { set: [], cleared: [] },
    ])
  })

  it('gives the timers back with their actors, also those of another actor', () => {
    const set = [timer('a', 5), timer('b', 6)]
    const cleared = [timer('a', 4, 'reminder')]
    const [shape] = parseShape(shapeOf([entry('a', 1, { events: 2, set, cleared })])) ?? []
    expect(shape && eventCount(shape)).toBe(2)
    expect(shape && timersOf(shape, 'a')).toEqual({ set, cleared })
  })

  it('names an actor only where it is not that of the entry', () => {
    const shape = shapeOf([entry('actor-1', 1, { set: [timer('actor-1', 5), timer('actor-2', 6)] })])
    expect(shape).toBe('[[1,[["expiry",5],["expiry",6,"actor-2"]],[]]]')
  })
})
