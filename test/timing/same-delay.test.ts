import { expect, it } from 'vitest'
import { SameDelay } from '../../src/timing/same-delay.ts'
import { GivenTime } from '../actors/mailbox/session-world.ts'

it('does each thing after the delay, in the order in which they came', async () => {
  const time = new GivenTime()
  const delay = new SameDelay(time.runtime, 100)
  const done: string[] = []
  const add = (what: string): void => delay.add(() => void done.push(`${what} at ${time.nowMs}`))
  add('a')
  await time.pass(40)
  add('b')
  add('c')
  await time.pass(59)
  expect(done).toEqual([])
  await time.pass(1)
  expect(done).toEqual(['a at 100'])
  await time.pass(100)
  expect([done, delay.size]).toEqual([['a at 100', 'b at 140', 'c at 140'], 0])
  add('d')
  await time.pass(100)
  expect(done.at(-1)).toBe('d at 300')
})

it('does nothing more once it is stopped', async () => {
  const time = new GivenTime()
  const delay = new SameDelay(time.runtime, 100)
  let done = 0
  delay.add(() => void done++)
  delay.stop()
  delay.add(() => void done++)
  await time.pass(1_000)
  expect([done, delay.size]).toEqual([0, 0])
})

it('does at once what waits when it ends', async () => {
  const time = new GivenTime()
  const delay = new SameDelay(time.runtime, 100)
  const done: string[] = []
  for (const what of ['a', 'b']) delay.add(() => void done.push(what))
  delay.end()
  expect([done, delay.size]).toEqual([['a', 'b'], 0])
  await time.pass(1_000)
  expect(done).toEqual(['a', 'b'])
})
