import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../../src/ports/journal.ts'
import { actorRuns, BUCKET_EVENTS, RUN_EVENTS_MAX } from '../../../src/persistence/cassandra/actor-runs.ts'
import { decodeEntries, encodeEntries } from '../../../src/persistence/cassandra/entries-codec.ts'
import { FirstCopies } from '../../../src/persistence/cassandra/first-copies.ts'
import {
  TimesBetweenSlots,
  timeAfterSlot,
  timeOfCheckpoint,
  timeOfPosition,
  timeOfSlot,
} from '../../../src/persistence/cassandra/write-times.ts'
import { batchSlot, entry, openSlot, someActor, timer } from '../../contract/journal/parts/slots.ts'

const anyTimer = fc.record({ actor: fc.string(), timerId: fc.string(), dueMs: fc.nat() })
const anyEntry: fc.Arbitrary<JournalEntry> = fc.record({
  actor: fc.string({ minLength: 1 }),
  seq: fc.integer({ min: 1 }),
  commandId: fc.option(fc.string({ minLength: 1 }), { nil: null }),
  events: fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 }),
  timersSet: fc.array(anyTimer, { maxLength: 3 }),
  timersCleared: fc.array(anyTimer, { maxLength: 3 }),
})

describe('the blob of a batch', () => {
  it('gives back what was put in, whatever the texts are', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 8 }), (entries) => {
        expect(decodeEntries(encodeEntries(entries))).toEqual(entries)
      }),
    )
  })

  it('of another format is refused, not guessed at', () => {
    expect(() => decodeEntries(Buffer.from('2[]\n'))).toThrow('format')
  })

  it('holds no entry without an event', () => {
    expect(() => encodeEntries([{ ...entry('con_00aaaaaaaa', 1), events: [] }])).toThrow('no event')
  })
})

describe("an actor's runs", () => {
  const actor = someActor(0)
  const seqsOf = (entries: readonly JournalEntry[]): readonly number[] =>
    entries.flatMap(({ seq, events }) => events.map((_, index) => seq + index))

  it('hold every event once, in few rows, across slots and commands', () => {
    const other = someActor(0)
    const runs = actorRuns([
      openSlot(0, 0, 1),
      batchSlot(0, 1, 1, [entry(actor, 1, { events: 2 }), entry(other, 1), entry(actor, 3)]),
      batchSlot(0, 2, 1, [{ ...entry(actor, 4), commandId: null }]),
    ])
    const own = runs.filter((run) => run.actor === actor)
    expect(own).toHaveLength(1)
    expect(own[0]).toMatchObject({ bucket: 0, seq: 1, lastSeq: 4 })
    expect(own[0]?.entries.map(({ seq, commandId }) => [seq, commandId])).toEqual([
      [1, 'command-1'],
      [3, 'command-3'],
      [4, null],
    ])
    expect(runs.filter((run) => run.actor === other)).toHaveLength(1)
  })

  it('end at the border of a bucket and are bounded', () => {
    const runs = actorRuns([batchSlot(0, 0, 1, [entry(actor, BUCKET_EVENTS - 150, { events: 400 })])])
    expect(runs.flatMap(({ entries }) => seqsOf(entries))).toEqual(
      Array.from({ length: 400 }, (_, index) => BUCKET_EVENTS - 150 + index),
    )
    for (const { bucket, seq, lastSeq } of runs) {
      expect(lastSeq - seq).toBeLessThan(RUN_EVENTS_MAX)
      expect([Math.floor(seq / BUCKET_EVENTS), Math.floor(lastSeq / BUCKET_EVENTS)]).toEqual([bucket, bucket])
    }
  })
})

describe('write times', () => {
  it('order what happens between two slots after the first and before the second', () => {
    const times = new TimesBetweenSlots()
    const between = [7, 7, 7].map((no) => times.next(0, no))
    expect([timeOfSlot(7), ...between, timeAfterSlot(7), timeOfSlot(8)]).toEqual(
      [timeOfSlot(7), ...between, timeAfterSlot(7), timeOfSlot(8)].toSorted((left, right) => left - right),
    )
    expect(new Set(between).size).toBe(3)
    expect(times.next(1, 7)).toBe(between[0])
  })

  it('of checkpoints put the epoch before the value', () => {
    const numbers = [
      timeOfCheckpoint(1, -1),
      timeOfCheckpoint(1, 5),
      timeOfCheckpoint(1, 6),
      timeOfCheckpoint(2, 0),
    ]
    expect(numbers.map(BigInt).toSorted((left, right) => Number(left - right))).toEqual(numbers.map(BigInt))
    expect(BigInt(timeOfCheckpoint(1_000_000, Date.now()))).toBeLessThan(2n ** 63n)
  })

  it('of positions put the slot before the entry', () => {
    expect(BigInt(timeOfPosition(2, 0))).toBeGreaterThan(BigInt(timeOfPosition(1, 9_999)))
  })
})

describe('copies that are written for the first time', () => {
  it('are those of the epoch that was opened here, once', () => {
    const own = new FirstCopies()
    const mine = batchSlot(0, 5, 2, [entry(someActor(0), 1, { set: [timer('a', 1)] })])
    expect(own.isFirst(mine)).toBe(false)
    own.opened(openSlot(0, 4, 2))
    expect(own.isFirst(batchSlot(0, 3, 1, [entry(someActor(0), 1)]))).toBe(false)
    expect(own.isFirst(mine)).toBe(true)
    own.tried([mine])
    expect(own.isFirst(mine)).toBe(false)
    expect(own.isFirst(batchSlot(0, 6, 2, [entry(someActor(0), 1)]))).toBe(true)
  })
})
