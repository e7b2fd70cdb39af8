import { expect, it } from 'vitest'
import { compareTimerRows, ShardHeld, ShardLost, type TimerRow } from '../../src/ports/journal.ts'

const row = (dueMs: number, actor: string, timerId: string): TimerRow => ({ dueMs, actor, timerId })

it('timer rows stand by time, then actor, then timer, as bytes and not as words', () => {
  const inOrder = [
    row(5, 'a', '$owed'),
    row(5, 'a', 'expiry'),
    row(5, 'a_b', 'expiry'),
    row(5, 'b', '$owed'),
    row(40, 'a', 'expiry'),
  ]
  expect(inOrder.toReversed().toSorted(compareTimerRows)).toEqual(inOrder)
  expect(compareTimerRows(row(5, 'a', 'x'), row(5, 'a', 'x'))).toBe(0)
})

it('a shard that is lost or held is asked again later', () => {
  expect(new ShardLost(7, 'fenced')).toMatchObject({
    retryable: true,
    reason: 'fenced',
    message: 'shard 7 is not owned here: fenced',
  })
  expect(new ShardHeld(7, 'node-2')).toMatchObject({ retryable: true, owner: 'node-2' })
})
