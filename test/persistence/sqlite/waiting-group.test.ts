import { describe, expect, it } from 'vitest'
import { unpackSlots } from '../../../src/persistence/sqlite/packed-slots.ts'
import { type Waiting, WaitingGroup } from '../../../src/persistence/sqlite/waiting-group.ts'
import { batchSlot, entry, openSlot } from '../../contract/journal/parts/slots.ts'

const waiting = (): Waiting => ({ resolve: () => {}, reject: () => {} })

describe('a waiting group', () => {
  it('asks for the slots first and then the calls, and knows who waits in that order', () => {
    const group = new WaitingGroup()
    const [call, one, two] = [waiting(), waiting(), waiting()]
    group.addCall(['probe'], call)
    group.addSlot(openSlot(1, 0, 1), one)
    group.addSlot(openSlot(2, 0, 1), two)
    const { slots, calls } = group.request()
    expect(slots && unpackSlots(slots).map((slot) => slot.shard)).toEqual([1, 2])
    expect(calls).toEqual([['probe']])
    expect(group.waiting()).toEqual([one, two, call])
    expect(group.size).toBe(3)
  })

  it('of calls alone has no slots to unpack', () => {
    const group = new WaitingGroup()
    group.addCall(['probe'], waiting())
    expect(group.request().slots).toBeNull()
  })

  it('has nobody waiting for a slot that cannot be packed', () => {
    const group = new WaitingGroup()
    const wrong = batchSlot(1, 0, 1, [entry('a', 1, { events: 0 })])
    expect(() => group.addSlot(wrong, waiting())).toThrow(RangeError)
    expect([group.size, group.request().slots]).toEqual([0, null])
  })
})
