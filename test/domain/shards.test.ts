import { describe, expect, it } from 'vitest'
import { SHARD_COUNT, actorId, kindOf, shardDigits, shardOf } from '../../src/domain/references.ts'

describe('the id of an actor', () => {
  it('carries its kind and its shard', () => {
    for (const shard of [0, 9, 10, 15, 16, 127, 171, SHARD_COUNT - 1]) {
      const id = actorId('con', shard, 'abcdefgh')
      expect(shardDigits(id)).toBe(shard)
      expect([kindOf(id), shardOf(id)]).toEqual(['con', shard])
    }
    expect(actorId('con', 127, '0123456789abcdef')).toBe('con_7f0123456789abcdef')
  })

  it.each([-1, 0.5, SHARD_COUNT, Number.NaN])('has no shard %s', (shard) => {
    expect(() => actorId('con', shard, 'abcdefgh')).toThrow(`no such shard: ${shard}`)
  })

  it.each([
    ['c', 'abcdefgh'],
    ['con', 'short'],
    ['con', 'ABCDEFGH'],
    ['con', 'a'.repeat(65)],
    ['con_', 'abcdefgh'],
  ])('is not made of %s and %s', (kind, unique) => {
    expect(() => actorId(kind, 1, unique)).toThrow(RangeError)
  })

  it.each(['', 'con', 'con_zzabcdefgh', 'con_7fABCDEFGH', 'con_7f', ' con_7fabcdefgh', 'con_7fabcdefgh\n'])(
    'is not %j',
    (text) => expect(shardOf(text)).toBeNull(),
  )
})
