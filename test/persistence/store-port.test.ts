import { expect, it } from 'vitest'
import { SEGMENT_SLOTS, StoreFailure, segmentOf } from '../../src/persistence/store-port.ts'

it('a segment is a run of so many slots, from the first one on', () => {
  expect([0, SEGMENT_SLOTS - 1, SEGMENT_SLOTS, 7 * SEGMENT_SLOTS].map(segmentOf)).toEqual([0, 0, 1, 7])
})

it('a failure of the store may be tried again and says whether it may have been applied', () => {
  const cause = new Error('disk full')
  const failure = new StoreFailure('not-applied', 'refused', { cause })
  expect(failure).toMatchObject({
    name: 'StoreFailure',
    retryable: true,
    outcome: 'not-applied',
    message: 'refused',
    cause,
  })
})
