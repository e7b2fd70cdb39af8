import { expect, it } from 'vitest'
import { Held } from '../../../src/cluster/lists/held.ts'

it('a file that was filled in part has nothing for certain, because what changed again stands behind', async () => {
  const held = new Held(1)
  const over = new AbortController()
  let isReached = false
  void held.reached([{ shard: 0, rev: 5 }], over.signal).then(() => (isReached = true))
  held.move({ shard: 0, rev: 7 })
  await new Promise(setImmediate)
  expect([held.at(0), isReached]).toEqual([7, false])
  held.set({ shard: 0, rev: 9 })
  await new Promise(setImmediate)
  expect(isReached).toBe(true)
  held.move({ shard: 0, rev: 3 })
  held.move({ shard: 0, rev: 6 })
  const again = held.reached([{ shard: 0, rev: 5 }], over.signal).then(() => held.at(0))
  over.abort()
  expect(await again).toBe(6)
})
