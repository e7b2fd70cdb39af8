import { describe, expect, it } from 'vitest'
import type { JournalEntry, StoredEvent } from '../../src/ports/journal.ts'
import type { LogSlot } from '../../src/persistence/store-port.ts'
import { UncopiedSlots, mergeStored, mergeTimerRows } from '../../src/persistence/shard-log-tail.ts'
import { ACTOR, entry, timer } from './model-journal.ts'

const slot = (no: number, ...entries: readonly JournalEntry[]): LogSlot => ({
  shard: 0,
  no,
  epoch: 1,
  batchId: `one/${no}`,
  record: { kind: 'batch', entries },
})

const events = (...seqs: readonly number[]): readonly StoredEvent[] =>
  seqs.map((seq) => ({ seq, commandId: null, data: `${seq}` }))

describe('slots that are not copied', () => {
  it('are handed out oldest first, within the limits, at least one', () => {
    const uncopied = new UncopiedSlots()
    const slots = [
      slot(0, entry(1, { events: 9 })),
      slot(1, entry(10)),
      slot(2, entry(11)),
      slot(3, entry(12)),
    ]
    for (const each of slots) uncopied.add(each)
    expect(uncopied.head(10, 5)).toEqual(slots.slice(0, 1))
    expect(uncopied.head(10, 11)).toEqual(slots.slice(0, 3))
    expect(uncopied.head(2, 1_000)).toEqual(slots.slice(0, 2))
  })

  it('are found by actor until they are copied', () => {
    const uncopied = new UncopiedSlots()
    const other = 'cnt_0000000009'
    const slots = [slot(0, entry(1), entry(1, { actor: other })), slot(1, entry(2))]
    for (const each of slots) uncopied.add(each)
    expect(uncopied.entriesOf(ACTOR).map(({ seq }) => seq)).toEqual([1, 2])
    uncopied.copied(slots.slice(0, 1))
    expect(uncopied.entriesOf(ACTOR).map(({ seq }) => seq)).toEqual([2])
    expect(uncopied.entriesOf(other)).toEqual([])
    uncopied.copied(slots.slice(1))
    expect(uncopied.isEmpty).toBe(true)
  })

  it('know the timers that no later slot took away', () => {
    const uncopied = new UncopiedSlots()
    const [a, b] = [timer('a', 5), timer('b', 6)]
    const slots = [
      slot(0, entry(1, { set: [a, b] })),
      slot(1, entry(2, { cleared: [a] })),
      slot(2, entry(3, { set: [a] })),
    ]
    for (const each of slots) uncopied.add(each)
    expect(uncopied.timers()).toEqual([b, a])
    uncopied.copied(slots.slice(0, 2))
    expect(uncopied.timers()).toEqual([a])
    uncopied.timersDone([a])
    expect(uncopied.timers()).toEqual([])
  })
})

describe('an actor read from both', () => {
  it('has each event once, also those that a copy under way has written', () => {
    const stored = mergeStored(ACTOR, { seq: 1, data: '{}' }, events(1, 2, 3, 5), [entry(3, { events: 3 })])
    expect(stored.events.map(({ seq }) => seq)).toEqual([2, 3, 4, 5])
  })

  it('is refused when an event is missing', () => {
    expect(() => mergeStored(ACTOR, null, events(1, 3), [])).toThrow(`${ACTOR} has event 3 after event 1`)
    expect(() => mergeStored(ACTOR, null, events(1), [entry(4)])).toThrow('event 4 after event 1')
  })
})

describe('a page of timers from both', () => {
  it('is in order, without repetition, and no longer than asked for', () => {
    const [a, b, c, d] = [timer('a', 1), timer('b', 2), timer('c', 3), timer('d', 3)]
    expect(mergeTimerRows([a, c], [d, b, c], 3)).toEqual([a, b, c])
    expect(mergeTimerRows([a, c], [], 3)).toEqual([a, c])
  })
})
