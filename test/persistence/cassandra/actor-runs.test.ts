import { describe, expect, it } from 'vitest'
import { actorRuns, BUCKET_EVENTS, RUN_EVENTS_MAX } from '../../../src/persistence/cassandra/actor-runs.ts'
import { batchSlot, entry, openSlot, timer } from '../../contract/journal/parts/slots.ts'

const spans = (...entries: Parameters<typeof batchSlot>[3][number][]): readonly unknown[] =>
  actorRuns([batchSlot(1, 0, 1, entries)]).map(({ actor, bucket, seq, entries: own }) => [
    actor,
    bucket,
    seq,
    seq + own.reduce((sum, { events }) => sum + events.length, 0) - 1,
  ])

describe('runs of events', () => {
  it('gather what several slots add to an actor, without timers', () => {
    const slots = [
      openSlot(1, 0, 1),
      batchSlot(1, 1, 1, [entry('a', 1, { set: [timer('a', 5)] }), entry('b', 1)]),
      batchSlot(1, 2, 1, [entry('a', 2, { events: 2 })]),
    ]
    const [a, b, ...others] = actorRuns(slots)
    expect(a).toMatchObject({
      actor: 'a',
      bucket: 0,
      seq: 1,
      lastNo: 2,
      entries: [entry('a', 1), entry('a', 2, { events: 2 })],
    })
    expect(b).toMatchObject({ actor: 'b', entries: [entry('b', 1)] })
    expect(others).toEqual([])
  })

  it('end where a bucket ends', () => {
    expect(spans(entry('a', BUCKET_EVENTS - 2, { events: 4 }))).toEqual([
      ['a', 0, BUCKET_EVENTS - 2, BUCKET_EVENTS - 1],
      ['a', 1, BUCKET_EVENTS, BUCKET_EVENTS + 1],
    ])
  })

  it('are never longer than a reader goes back', () => {
    expect(spans(entry('a', 1, { events: RUN_EVENTS_MAX + 1 }))).toEqual([
      ['a', 0, 1, RUN_EVENTS_MAX],
      ['a', 0, RUN_EVENTS_MAX + 1, RUN_EVENTS_MAX + 1],
    ])
  })

  it('do not grow large: a long text begins a new one', () => {
    const long = { ...entry('a', 2), events: ['x'.repeat(65_536)] }
    expect(spans(entry('a', 1), long, entry('a', 3))).toEqual([
      ['a', 0, 1, 1],
      ['a', 0, 2, 2],
      ['a', 0, 3, 3],
    ])
  })

  it('begin anew after a gap, so that each says where it begins', () => {
    expect(spans(entry('a', 1), entry('a', 5))).toEqual([
      ['a', 0, 1, 1],
      ['a', 0, 5, 5],
    ])
  })

  it('keep the events of one command together under its id where they are cut', () => {
    const runs = actorRuns([batchSlot(1, 0, 1, [entry('a', 99, { events: 102 })])])
    expect(
      runs.map(({ entries }) => entries.map(({ seq, commandId, events }) => [seq, commandId, events.length])),
    ).toEqual([[[99, 'command-99', 100]], [[199, 'command-99', 2]]])
  })
})
