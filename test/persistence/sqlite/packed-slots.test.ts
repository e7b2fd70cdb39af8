import { describe, expect, it } from 'vitest'
import { SlotPacker, unpackSlots } from '../../../src/persistence/sqlite/packed-slots.ts'
import { batchSlot, entry, openSlot, timer } from '../../contract/journal/parts/slots.ts'
import { packedSlots } from './parts/temporary-journal.ts'

describe('packed slots', () => {
  it('stand one behind the other and are found again each with its own', () => {
    const batch = batchSlot(3, 8, 2, [entry('a', 5, { events: 2 }), { ...entry('b', 1), commandId: null }])
    const [first, open, last] = packedSlots(
      batch,
      openSlot(4, 0, 7, 'node-9'),
      batchSlot(5, 1, 1, [entry('c', 9)]),
    )
    expect(first).toMatchObject({ shard: 3, no: 8, epoch: 2, batchId: batch.batchId, node: null })
    expect([first?.entryCount, first?.eventCount, first?.shape]).toEqual([2, 3, '[2,1]'])
    expect([0, 1].map((index) => [first?.actor(index), first?.seq(index), first?.commandId(index)])).toEqual([
      ['a', 5, 'command-5'],
      ['b', 1, null],
    ])
    expect([0, 1, 2].map((index) => first?.event(index))).toEqual([
      '{"type":"Counted","value":5}',
      '{"type":"Counted","value":6}',
      '{"type":"Counted","value":1}',
    ])
    expect(open).toMatchObject({
      shard: 4,
      epoch: 7,
      node: 'node-9',
      shape: null,
      entryCount: 0,
      eventCount: 0,
    })
    expect([last?.actor(0), last?.seq(0), last?.event(0)]).toEqual(['c', 9, '{"type":"Counted","value":9}'])
  })

  it('of an owner without a name are open records still', () => {
    expect(packedSlots(openSlot(1, 0, 1, ''))[0]?.node).toBe('')
  })

  it('carry their timers', () => {
    const [slot] = packedSlots(batchSlot(1, 0, 1, [entry('a', 1, { set: [timer('a', 5)] })]))
    expect(slot?.shape).toBe('[[1,[["expiry",5]],[]]]')
  })

  it('are taken once', () => {
    const packer = new SlotPacker()
    packer.add(openSlot(1, 0, 1))
    expect(unpackSlots(packer.take())).toHaveLength(1)
    expect(unpackSlots(packer.take())).toEqual([])
  })

  it('refuse an entry without an event, and pack nothing of its slot', () => {
    const packer = new SlotPacker()
    const slot = batchSlot(1, 0, 1, [entry('a', 1), entry('b', 1, { events: 0 })])
    expect(() => packer.add(slot)).toThrow('an entry of b has no event')
    expect(unpackSlots(packer.take())).toEqual([])
  })
})
