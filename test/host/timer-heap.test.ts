import { array, assert, integer, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TimerHeap } from '../../src/host/timer-heap.ts'

describe('the heap of timers', () => {
  it('gives them back in the order of their times, whatever the order they came in', () => {
    assert(
      property(array(integer({ min: 0, max: 1_000 })), (times) => {
        const heap = new TimerHeap<number>()
        for (const time of times) heap.push(time, time)
        const popped: number[] = []
        while (heap.size > 0) {
          const nextMs = heap.nextMs
          popped.push(heap.pop() ?? -1)
          expect(popped.at(-1)).toBe(nextMs)
        }
        expect(popped).toEqual(times.toSorted((left, right) => left - right))
      }),
    )
  })

  it('is never due when it is empty', () => {
    const heap = new TimerHeap<string>()
    expect(heap.nextMs).toBe(Number.POSITIVE_INFINITY)
    expect(heap.pop()).toBeUndefined()
  })
})
