import { describe, expect, it } from 'vitest'
import { LayoutWriter } from '../../../../src/persistence/sqlite/slot-file/row-layout.ts'
import {
  BATCH,
  occupantOf,
  OPEN_RECORD,
  RowEntries,
} from '../../../../src/persistence/sqlite/slot-file/slot-rows.ts'

const layoutOf = (...numbers: number[]): Buffer => {
  const writer = new LayoutWriter()
  for (const number of numbers) writer.add(number)
  return writer.take()
}

describe('the entries of a row', () => {
  const body = 'batch/1[[],[]]command{"a":1}{}{"b":2}'
  const layout = layoutOf(BATCH, 7, 3, 2, 9, 8, 7, 2, 7, 2, 5, 0, 1, 0, 0, 1, 7)

  it('come one after the other with what is theirs', () => {
    const entries = new RowEntries(layout, body)
    expect([entries.batchId, entries.node]).toEqual(['batch/1', null])
    expect(entries.next()).toBe(true)
    expect([entries.actor, entries.rowsBack, entries.seq, entries.eventCount]).toEqual([3, 2, 9, 2])
    expect([entries.commandId(), entries.events()]).toEqual(['command', ['{"a":1}', '{}']])
    expect(entries.timers('x')).toEqual({ set: [], cleared: [] })
    expect(entries.next()).toBe(true)
    expect([entries.actor, entries.seq, entries.commandId(), entries.events()]).toEqual([
      5,
      1,
      null,
      ['{"b":2}'],
    ])
    expect(entries.next()).toBe(false)
  })

  it('tell their actors without the text', () => {
    const entries = new RowEntries(layout, '')
    const actors: number[] = []
    while (entries.next()) actors.push(entries.actor)
    expect(actors).toEqual([3, 5])
  })

  it('are refused when the text is too short', () => {
    const entries = new RowEntries(layout, body.slice(0, -1))
    entries.next()
    entries.next()
    expect(() => entries.events()).toThrow('lost its end')
  })

  it('are none in an open record, which names its owner instead, be it nobody', () => {
    const open = new RowEntries(layoutOf(OPEN_RECORD, 7), 'batch/1node-9')
    expect([open.batchId, open.node, open.next()]).toEqual(['batch/1', 'node-9', false])
    expect(new RowEntries(layoutOf(OPEN_RECORD, 7), 'batch/1').node).toBe('')
  })
})

it('the occupant of a slot is known by epoch and batch', () => {
  expect(occupantOf({ epoch: 4, layout: layoutOf(OPEN_RECORD, 7), body: 'batch/1node' })).toEqual({
    epoch: 4,
    batchId: 'batch/1',
  })
})
