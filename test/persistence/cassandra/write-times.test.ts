import { describe, expect, it } from 'vitest'
import {
  TimesBetweenSlots,
  timeAfterSlot,
  timeBeyondClocks,
  timeOfCheckpoint,
  timeOfPosition,
  timeOfSlot,
} from '../../../src/persistence/cassandra/write-times.ts'

describe('the write time', () => {
  it('of a slot is before everything that follows it, and that before the next slot', () => {
    const times = new TimesBetweenSlots()
    const between = [times.next(1, 7), times.next(1, 7)]
    const inOrder = [timeOfSlot(7), ...between, timeAfterSlot(7), timeOfSlot(8)]
    expect(inOrder).toEqual(inOrder.toSorted((left, right) => left - right))
    expect(new Set(inOrder).size).toBe(5)
  })

  it('between two slots stays between them, however often it is asked for', () => {
    const times = new TimesBetweenSlots()
    let last = 0
    for (let step = 0; step < 2 ** 20 + 10; step++) last = times.next(1, 7)
    expect(last).toBeLessThan(timeAfterSlot(7))
  })

  it('of what was decided at an earlier slot does not reach past later ones', () => {
    const times = new TimesBetweenSlots()
    times.next(1, 9)
    const late = times.next(1, 7)
    expect(late).toBeGreaterThan(timeOfSlot(7))
    expect(late).toBeLessThan(timeOfSlot(8))
    expect(times.next(2, 3)).toBe(timeOfSlot(3) + 1)
  })

  it('of a checkpoint grows with its value within an epoch, and every later epoch is later', () => {
    const epochs = [1, 2, 4_000].map((epoch) =>
      [-1, 0, 1, 1_900_000_000_000].map((value) => timeOfCheckpoint(epoch, value)),
    )
    const inOrder = epochs.flat().map(BigInt)
    expect(inOrder).toEqual(inOrder.toSorted((left, right) => (left < right ? -1 : 1)))
    expect(new Set(inOrder).size).toBe(12)
    expect(inOrder.at(-1)).toBeLessThan(2n ** 63n)
  })

  it('of a position grows with slot and index, beyond what a plain number holds', () => {
    const inOrder = [
      timeOfPosition(3, -1),
      timeOfPosition(3, 7),
      timeOfPosition(4, 0),
      timeOfPosition(2 ** 40, 1),
    ].map(BigInt)
    expect(inOrder).toEqual(inOrder.toSorted((left, right) => (left < right ? -1 : 1)))
    expect(inOrder.at(-1)).toBe(2n ** 60n + 2n)
  })

  it('beyond clocks is a day ahead, in microseconds', () => {
    expect(timeBeyondClocks(1_000)).toBe(1_000_000 + 24 * 3_600 * 1_000_000)
  })
})
