import { describe, expect, it } from 'vitest'
import { placeText, readRecord } from '../../src/stream/record-text.ts'
import { record } from '../contract/stream/stream-suite.ts'

const { place, event } = record('ten_a', 1)
const text = JSON.stringify(event)

describe('the text of a record', () => {
  it('reads as it was written', () => {
    expect(readRecord(text, placeText(place))).toEqual({ place, event })
  })

  it('without a place is no record', () => {
    for (const wrong of [null, '', '1,2', '1,2,x']) expect(readRecord(text, wrong)).toBeNull()
  })

  it('that is not an event is no record', () => {
    const wrong = [
      null,
      '',
      'no JSON',
      'null',
      '[]',
      JSON.stringify({ ...event, type: 7 }),
      JSON.stringify({ ...event, id: 7 }),
      JSON.stringify({ ...event, actor: 7 }),
      JSON.stringify({ ...event, data: null }),
      JSON.stringify({ ...event, sealed: 1 }),
      JSON.stringify({ ...event, createdAtMs: 'today' }),
    ]
    for (const value of wrong) expect(readRecord(value, placeText(place))).toBeNull()
  })
})
