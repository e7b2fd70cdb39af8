import { expect, it } from 'vitest'
import { BodyLives } from '../../../src/persistence/sqlite/body-lives.ts'

it('a walk through many bodies pauses whenever it has looked at so many, whether their lives are over or not', () => {
  const lives = new BodyLives()
  for (let record = 0; record < 200; record++)
    for (let body = 0; body < 50; body++) lives.add(`record-${record}`, `body-${body}`, 5)
  const slices = (nowMs: number) => [...lives.expired(nowMs, 4_096)].map(({ length }) => length)
  expect(slices(4)).toEqual([0, 0, 0])
  expect(slices(5)).toEqual([4_096, 4_096, 10_000 - 2 * 4_096])
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
