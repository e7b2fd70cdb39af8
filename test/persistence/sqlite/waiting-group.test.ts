import { describe, expect, it } from 'vitest'
import { SlotPacker, unpackSlots } from '../../../src/persistence/sqlite/slot-file/packed-slots.ts'
import { WaitingGroup } from '../../../src/persistence/sqlite/database-thread.ts'
import { batchSlot, entry, openSlot } from '../../contract/journal/parts/slots.ts'

const open = (packer = new SlotPacker()) => {
  const group = new WaitingGroup(packer)
  const told: unknown[] = []
  const waiting = (name: string) => ({
    resolve: (value: unknown) => void told.push([name, value]),
    reject: (error: Error) => void told.push([name, error.message]),
  })
  return { group, told, waiting }
}

describe('a waiting group', () => {
  it('asks for the slots and for the calls, each in order', () => {
    const { group, waiting } = open()
    group.addCall(['probe'], waiting('call'))
    group.addSlot(openSlot(1, 0, 1), waiting('one'))
    group.addSlot(openSlot(2, 0, 1), waiting('two'))
    const { slots, calls } = group.request()
    expect(slots.flatMap(unpackSlots).map(([row]) => row.shard)).toEqual([1, 2])
    expect(calls).toEqual([['probe']])
    expect([group.size, group.slots]).toEqual([3, 2])
  })

  it('of calls alone has no slots to unpack', () => {
    const { group, waiting } = open()
    group.addCall(['probe'], waiting('call'))
    expect(group.request().slots).toEqual([])
  })

  it('has nobody waiting for a slot that cannot be packed', () => {
    const { group, waiting } = open()
    const wrong = batchSlot(1, 0, 1, [entry('a', 1, { events: 0 })])
    expect(() => group.addSlot(wrong, waiting('one'))).toThrow(RangeError)
    expect([group.size, group.request().slots]).toEqual([0, []])
  })

  it('takes silence for written slots and calls without a value', () => {
    const { group, told, waiting } = open()
    group.addCall(['probe'], waiting('call'))
    group.addSlot(openSlot(1, 0, 1), waiting('slot'))
    group.settleTheRest()
    expect(told).toEqual([
      ['slot', { is: 'written' }],
      ['call', undefined],
    ])
  })

  it('finds whom an answer to several groups is for: all their slots, then all their calls', async () => {
    const packer = new SlotPacker()
    const outcomes: Promise<unknown>[] = []
    const groups = [1, 2].map((shard) => {
      const group = new WaitingGroup(packer)
      outcomes.push(
        new Promise((resolve, reject) => group.addSlot(openSlot(shard, 0, 1), { resolve, reject })),
        new Promise((resolve, reject) => group.addCall(['probe'], { resolve, reject })),
      )
      return group
    })
    const occupied = { is: 'occupied', epoch: 3, batchId: 'other' }
    WaitingGroup.settle(groups, {
      values: [
        [1, occupied],
        [3, 'value'],
      ],
      failures: [[2, { is: 'not-applied', message: 'disk full' }]],
    })
    expect(await Promise.allSettled(outcomes)).toMatchObject([
      { value: { is: 'written' } },
      { reason: { outcome: 'not-applied' } },
      { value: occupied },
      { value: 'value' },
    ])
  })

  it('tells everybody when it is lost', () => {
    const { group, told, waiting } = open()
    group.addCall(['probe'], waiting('call'))
    group.addSlot(openSlot(1, 0, 1), waiting('slot'))
    group.reject(new Error('gone'))
    expect(told).toEqual([
      ['slot', 'gone'],
      ['call', 'gone'],
    ])
  })
})
