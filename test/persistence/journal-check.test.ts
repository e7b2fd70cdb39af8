import { describe, expect, it } from 'vitest'
import { checkShard } from '../../src/persistence/journal-check.ts'
import { batchSlot, entry, openSlot } from '../contract/journal/parts/slots.ts'
import { checkpointAt, eventsUpTo, readsOf, SEGMENT_SLOTS, type Written } from './parts/written-journal.ts'

const sound: Written = {
  slots: [
    openSlot(1, 0, 1),
    batchSlot(1, 1, 1, [entry('a', 1), entry('b', 1)]),
    batchSlot(1, 2, 1, [entry('a', 2)]),
  ],
  events: { a: eventsUpTo(2), b: eventsUpTo(1) },
  snapshots: { a: { seq: 2, data: '{}' } },
  checkpoint: checkpointAt(2),
}
const problems = async (change: Partial<Written>): Promise<readonly string[]> =>
  (await checkShard(readsOf({ ...sound, ...change }), 1)).problems

describe('checking a shard', () => {
  it('counts what it looked at, and has nothing to say of a sound one', async () => {
    expect(await checkShard(readsOf(sound), 1)).toEqual({
      shard: 1,
      slots: 3,
      actors: 2,
      events: 3,
      uncopiedSlots: 0,
      problems: [],
    })
  })

  it('does not look for copies of slots after the checkpoint', async () => {
    const findings = await checkShard(readsOf({ ...sound, events: { a: [], b: [] }, checkpoint: null }), 1)
    expect([findings.uncopiedSlots, findings.problems]).toEqual([3, []])
  })

  it('compares what the log still reaches when its beginning is retired', async () => {
    const slots = [batchSlot(1, SEGMENT_SLOTS, 1, [entry('a', 2)])]
    expect(await problems({ slots, checkpoint: checkpointAt(SEGMENT_SLOTS) })).toEqual([])
  })

  it('has nothing to say where events are folded into a snapshot, or a record is gone', async () => {
    const folded = { a: { seq: 2, data: '{}' }, b: { seq: 1, data: '{}' } }
    expect(await problems({ events: { a: [], b: [] }, snapshots: folded })).toEqual([])
    const rest = { a: eventsUpTo(2).slice(1), b: eventsUpTo(1) }
    expect(await problems({ events: rest, snapshots: { a: { seq: 1, data: '{}' } } })).toEqual([])
    const without = readsOf({ ...sound, events: { a: eventsUpTo(2) } })
    expect((await checkShard(without, 1, (actor) => actor === 'b')).problems).toEqual([])
  })

  it.each<[string, Partial<Written>, string]>([
    [
      'copies that miss events',
      { events: { a: eventsUpTo(1), b: eventsUpTo(1) }, snapshots: { a: { seq: 1, data: '{}' } } },
      'a has 1 events, its log 2',
    ],
    [
      'copies with a gap',
      { events: { a: eventsUpTo(2).slice(1), b: eventsUpTo(1) }, snapshots: {} },
      'a has event 2 where 1 belongs',
    ],
    [
      'copies of another text',
      { events: { a: [...eventsUpTo(1), { seq: 2, commandId: 'command-2', data: '{}' }], b: eventsUpTo(1) } },
      'a has other events than its log between 1 and 2',
    ],
    [
      'an actor without copies',
      { events: { a: eventsUpTo(2) } },
      'b is in the log, but not among the actors',
    ],
    [
      'a snapshot ahead of the events',
      { snapshots: { a: { seq: 3, data: '{}' } } },
      'a has a snapshot of event 3, but 2 events',
    ],
    [
      'a checkpoint after the end',
      { checkpoint: { ...checkpointAt(2), publishedNo: 9 } },
      'the checkpoint says published up to slot 9, the log ends at 2',
    ],
    [
      'an epoch that goes back',
      { slots: [openSlot(1, 0, 2), openSlot(1, 1, 1)], events: {}, checkpoint: checkpointAt(1) },
      'slot 1 goes back to epoch 1',
    ],
    [
      'an epoch that nobody opened',
      {
        slots: [openSlot(1, 0, 1), batchSlot(1, 1, 2, [entry('b', 1)])],
        events: { b: eventsUpTo(1) },
        checkpoint: checkpointAt(1),
      },
      'slot 1 is of epoch 2, which was never opened',
    ],
    [
      'a log that skips an event',
      {
        slots: [batchSlot(1, 0, 1, [entry('b', 1)]), batchSlot(1, 1, 1, [entry('b', 3)])],
        events: { b: eventsUpTo(2) },
        checkpoint: checkpointAt(1),
      },
      'b: slot 1 has event 3 where 2 follows',
    ],
  ])('finds %s', async (_, change, problem) => {
    expect(await problems(change)).toContain(`shard 1: ${problem}`)
  })

  it('names no more problems than a person would read', async () => {
    const slots = Array.from({ length: 300 }, (_, no) => openSlot(1, no, 300 - no))
    expect(await problems({ slots, events: {}, checkpoint: null })).toHaveLength(100)
  })
})
