import { expect, it } from 'vitest'
import { SameLimit } from '../../src/timing/same-limit.ts'
import { GivenTime, settled } from '../actors/mailbox/session-world.ts'

it('gives the outcome of work that is in time, its failure, and else what is said of late work', async () => {
  const time = new GivenTime()
  const limit = new SameLimit(time.runtime, 100)
  const outcomes: string[] = []
  const note = (outcome: string): void => void outcomes.push(`${outcome} at ${time.nowMs}`)
  const slow = Promise.withResolvers<string>()
  void limit.within(slow.promise, 'late').then(note)
  void limit.within(Promise.resolve('done'), 'late').then(note)
  void limit.within(Promise.reject(new Error('failed')), 'late').catch(({ message }: Error) => note(message))
  await time.pass(50)
  void limit.within(new Promise<string>(() => undefined), 'later').then(note)
  await time.pass(40)
  slow.resolve('just in time')
  await time.pass(100)
  expect(outcomes).toEqual(['done at 0', 'failed at 0', 'just in time at 90', 'later at 150'])
  void limit.within(new Promise<string>(() => undefined), 'ended').then(note)
  limit.end()
  await settled()
  expect(outcomes.at(-1)).toBe('ended at 190')
})
