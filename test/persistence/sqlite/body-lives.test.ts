import { expect, it } from 'vitest'
import { BodyLives } from '../../../src/persistence/sqlite/body-lives.ts'

const AT_ONCE = 4_096

it('a walk through a million bodies holds nothing up for ten milliseconds, and finds each that is over', () => {
  const lives = new BodyLives()
  for (let record = 0; record < 2_000; record++)
    for (let body = 0; body < 500; body++)
      lives.add(`record-${record}`, `body-${body}`, body === record % 500 ? 5 : 6)
  /** Other work on the machine may hold up one walk, but not the same slice of each. */
  const longest = Array.from({ length: 3 }, () => {
    let [found, slices, longestMs] = [0, 0, 0]
    for (let beganMs = performance.now(), walk = lives.expired(5, AT_ONCE); ; slices++) {
      const { value, done } = walk.next()
      longestMs = Math.max(longestMs, performance.now() - beganMs)
      beganMs = performance.now()
      if (done === true) break
      found += value.length
    }
    expect([found, slices]).toEqual([2_000, Math.ceil(1_000_000 / AT_ONCE)])
    return longestMs
  })
  expect(Math.min(...longest)).toBeLessThan(10)
})

it('a walk goes on while bodies come and go, those of the record that it has come to included', () => {
  const lives = new BodyLives()
  const names = ['a', 'b', 'c', 'd']
  for (const record of names) for (const id of names) lives.add(record, id, record === 'b' ? 1 : 9)
  const seen: string[] = []
  for (const slice of lives.expired(1, 3)) {
    for (const [record, id] of slice) {
      seen.push(record + id)
      lives.remove(record, id)
    }
    for (const id of names) lives.remove('c', id)
    lives.add('e', 'a', 1)
  }
  expect(seen.toSorted()).toEqual(['ba', 'bb', 'bc', 'bd', 'ea'])
  expect([lives.idsOf('b'), lives.idsOf('d'), lives.endOf('c', 'a')]).toEqual([[], names, undefined])
})
