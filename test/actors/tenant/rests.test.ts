import { expect, it } from 'vitest'
import { TenantRests } from '../../../src/actors/tenant/rests.ts'
import { notOwner } from '../../../src/host/faults.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const organisation = 'ten_07aaaaaaaaaa'
const ordered = { status: 'deletion_ordered', rests: [] }

/** The shard of the organisation opens after so many looks; the order of its deletion stands in it. */
const opensAfter = (looks: number) => {
  const counts = { reads: 0 }
  const actors = actorsThat({
    read: async () => {
      if (counts.reads++ < looks) throw notOwner(7)
      return ordered
    },
  })
  return { actors, counts }
}
const sleep = (): Promise<void> => new Promise(setImmediate)

it('an organisation whose shard is still to be opened here is waited for, by all with one look', async () => {
  const { actors, counts } = opensAfter(3)
  const rests = new TenantRests(actors, { isToCome: (shard) => shard === 7, sleep })
  const answers = await Promise.all([rests.of(organisation), rests.of(organisation)])
  expect(answers).toEqual([1, 2].map(() => ({ isResting: true, before: [] })))
  expect(counts.reads).toBe(4)
  expect(rests.of(organisation)).toEqual({ isResting: true, before: [] })
})

it('of one that another node owns nothing is known', async () => {
  const { actors } = opensAfter(3)
  expect(await new TenantRests(actors, { isToCome: () => false, sleep }).of(organisation)).toBeNull()
})
