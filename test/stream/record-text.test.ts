import { describe, expect, it } from 'vitest'
import { readRecord, recordHeaders } from '../../src/stream/record-text.ts'
import { record } from '../contract/stream/stream-suite.ts'

const { place, event } = record('ten_00aaaaaaaa', 1)
const text = JSON.stringify(event)
const headers = recordHeaders({ place, event })
const key = event.tenant
const actor = 'cre_00aaaaaaaa'

describe('the text of a record', () => {
  it('reads as it was written', () => {
    expect(readRecord(text, { key, headers })).toEqual({ record: { place, event } })
  })

  it('reads without the headers that older releases did not write', () => {
    expect(readRecord(text, { key, headers: { place: headers.place } })).toEqual({ record: { place, event } })
  })

  it('without a place is no record', () => {
    for (const wrong of ['', '1,2', '1,2,x'])
      expect(readRecord(text, { key, headers: { place: wrong } })).toEqual({ unreadable: null })
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
    for (const value of wrong)
      expect(readRecord(value, { key, headers: { place: headers.place } })).toEqual({ unreadable: null })
  })

  it('that cannot be read says by its headers which event it is', () => {
    const of = { ...event, actor }
    const named = { event: { id: event.id, type: event.type, tenant: key, recordId: actor, actor } }
    const written = recordHeaders({ place, event: of })
    expect(readRecord('no JSON', { key, headers: written })).toMatchObject({ unreadable: named })
    const newer = { ...written, version: '2' }
    expect(readRecord(JSON.stringify(of), { key, headers: newer })).toMatchObject({
      unreadable: { ...named, error: { name: 'UnknownVersion' } },
    })
  })

  it('is nobody’s where a header or the key names no actor', () => {
    const written = recordHeaders({ place, event: { ...event, actor } })
    const { event: _, ...nameless } = written
    for (const [of, given] of [
      [key, nameless],
      [key, { ...written, actor: 'nobody' }],
      ['nobody', written],
      [null, written],
    ] as const)
      expect(readRecord('no JSON', { key: of, headers: given })).toEqual({ unreadable: null })
  })
})
