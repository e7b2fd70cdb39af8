import { describe, expect, it } from 'vitest'
import { OPEN, SlotPacker, unpackSlots } from '../../../../src/persistence/sqlite/slot-file/packed-slots.ts'
import { batchSlot, entry, openSlot, timer } from '../../../contract/journal/parts/slots.ts'
import { packedSlots } from '../parts/temporary-journal.ts'

describe('packed slots', () => {
  it('stand one behind the other and are found again each with its own', () => {
    const batch = batchSlot(3, 8, 2, [entry('a', 5, { events: 2 }), { ...entry('b', 1), commandId: null }])
    const open = openSlot(4, 0, 7, 'node-9')
    const [first, second, last] = packedSlots(batch, open, batchSlot(5, 1, 1, [entry('c', 9)]))
    const [row] = first ?? []
    expect(row).toMatchObject({ shard: 3, no: 8, epoch: 2, rest: 0, entries: 2 })
    expect(row?.batchIdLength).toBe(batch.batchId.length)
    expect([row?.actor(0), row?.actor(1)]).toEqual(['a', 'b'])
    expect(row?.body).toBe(
      `${batch.batchId}command-5{"type":"Counted","value":5}{"type":"Counted","value":6}{"type":"Counted","value":1}`,
    )
    expect([...(row?.numbers.subarray(row.entriesAt, row.numbersEnd) ?? [])]).toEqual([
      5, 10, 0, 2, 28, 28, 1, 0, 0, 1, 28,
    ])
    expect(second?.[0]).toMatchObject({ shard: 4, epoch: 7, entries: OPEN, body: `${open.batchId}node-9` })
    expect([last?.[0].actor(0), last?.[0].shard]).toEqual(['c', 5])
  })

  it('carry their timers before the command', () => {
    const slot = batchSlot(1, 0, 1, [entry('a', 1, { set: [timer('a', 5)] })])
    expect(packedSlots(slot)[0]?.[0].body).toBe(
      `${slot.batchId}[[["expiry",5]],[]]command-1{"type":"Counted","value":1}`,
    )
  })

  it('are several rows when they are long, cut between entries', () => {
    const large = (actor: string) => ({ ...entry(actor, 1), events: ['x'.repeat(9_000)] })
    const slot = batchSlot(1, 7, 1, [large('a'), large('b'), entry('c', 1), large('d'), entry('e', 1)])
    const [rows, next] = packedSlots(slot, openSlot(2, 0, 1))
    expect(rows?.map(({ shard, no, rest, entries }) => [shard, no, rest, entries])).toEqual([
      [1, 7, 3, 1],
      [1, 7, 0, 1],
      [1, 7, 0, 2],
      [1, 7, 0, 1],
    ])
    expect(rows?.map((row) => row.actor(0))).toEqual(['a', 'b', 'c', 'e'])
    expect(rows?.map((row) => row.batchIdLength)).toEqual([slot.batchId.length, 0, 0, 0])
    expect(next?.[0].shard).toBe(2)
  })

  it('are any number', () => {
    const slots = Array.from({ length: 5_000 }, (_, no) => batchSlot(1, no, 1, [entry('a', no + 1)]))
    expect(packedSlots(...slots).map(([row]) => row.no)).toEqual(slots.map(({ no }) => no))
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
