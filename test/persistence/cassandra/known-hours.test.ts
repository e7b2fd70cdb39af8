import { expect, it } from 'vitest'
import { KnownHours } from '../../../src/persistence/cassandra/known-hours.ts'

it('an hour is known in its shard and epoch alone, until it is forgotten', () => {
  const hours = new KnownHours()
  hours.add(1, 2, 500)
  expect([hours.has(1, 2, 500), hours.has(1, 3, 500), hours.has(2, 2, 500), hours.has(1, 2, 501)]).toEqual([
    true,
    false,
    false,
    false,
  ])
  hours.forget(1, 2, 500)
  expect(hours.has(1, 2, 500)).toBe(false)
})

it('the hours used last stay known when there are more than are kept', () => {
  const hours = new KnownHours()
  for (let hour = 0; hour <= 100_000; hour++) hours.add(1, 1, hour)
  expect([hours.has(1, 1, 0), hours.has(1, 1, 50_000), hours.has(1, 1, 100_000)]).toEqual([false, true, true])
  hours.forget(1, 1, 50_000)
  expect(hours.has(1, 1, 50_000)).toBe(false)
})

it('hours are dropped once: again only when later ones are due', () => {
  const hours = new KnownHours()
  expect(hours.mayDrop(1, 0)).toBe(true)
  hours.dropped(1, 7)
  expect([hours.mayDrop(1, 7), hours.mayDrop(1, 8), hours.mayDrop(2, 7)]).toEqual([false, true, true])
})
