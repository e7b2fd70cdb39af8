import { describe, expect, it } from 'vitest'
import { FORGOTTEN_PER_TICK_MAX, ForgetTurns } from '../../../src/host/timers/forget-turns.ts'

const shardWith = (records: number) => {
  const shard = {
    left: records,
    hasToForget: () => shard.left > 0,
    forget: (_nowMs: number, max: number) => {
      const begun = Math.min(max, shard.left)
      shard.left -= begun
      return begun
    },
  }
  return shard
}

describe('the turns of shards at forgetting', () => {
  it('begin with no more records in a tick than callers can wait for, over all shards', () => {
    const [one, other] = [shardWith(10 * FORGOTTEN_PER_TICK_MAX), shardWith(10)]
    const turns = new ForgetTurns()
    for (let tick = 1; tick <= 4; tick++) {
      turns.tick([one, other], 0)
      expect(10 * FORGOTTEN_PER_TICK_MAX + 10 - one.left - other.left).toBe(tick * FORGOTTEN_PER_TICK_MAX)
    }
  })

  it('come to every shard, however much another one has', () => {
    const shards = [100_000, 100_000, 1, 100_000].map(shardWith)
    const turns = new ForgetTurns()
    for (let tick = 0; tick < 4; tick++) turns.tick(shards, 0)
    expect(shards.map(({ left }) => left < 100_000)).toEqual([true, true, true, true])
    expect(shards[2]?.left).toBe(0)
  })

  it('fill a tick with what one shard leaves', () => {
    const shards = [3, 0, 5, 1_000].map(shardWith)
    new ForgetTurns().tick(shards, 0)
    expect(shards.map(({ left }) => left)).toEqual([0, 0, 0, 1_000 - FORGOTTEN_PER_TICK_MAX + 8])
  })
})
