import { expect, it } from 'vitest'
import { FirstCopies } from '../../../src/persistence/cassandra/first-copies.ts'
import { openSlot } from '../../contract/journal/parts/slots.ts'

it('a slot is copied for the first time when this process opened its epoch and did not try it before', () => {
  const own = new FirstCopies()
  expect(own.isFirst(openSlot(1, 11, 3))).toBe(false)
  own.opened(openSlot(1, 10, 3))
  expect([9, 10, 11].map((no) => own.isFirst(openSlot(1, no, 3)))).toEqual([false, false, true])
  own.tried([openSlot(1, 12, 3), openSlot(1, 11, 3)])
  expect([11, 12, 13].map((no) => own.isFirst(openSlot(1, no, 3)))).toEqual([false, false, true])
})

it('slots of another epoch or shard are never the first', () => {
  const own = new FirstCopies()
  own.opened(openSlot(1, 10, 3))
  expect([own.isFirst(openSlot(1, 11, 2)), own.isFirst(openSlot(2, 11, 3))]).toEqual([false, false])
  own.tried([openSlot(1, 50, 2)])
  expect(own.isFirst(openSlot(1, 11, 3))).toBe(true)
})

it('a shard that is opened again begins after its open record', () => {
  const own = new FirstCopies()
  own.opened(openSlot(1, 10, 3))
  own.opened(openSlot(1, 20, 5))
  expect([own.isFirst(openSlot(1, 11, 3)), own.isFirst(openSlot(1, 21, 5))]).toEqual([false, true])
})
