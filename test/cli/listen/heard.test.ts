import { describe, expect, it } from 'vitest'
import { kinds } from '../../../src/actors/index.ts'
import { publishedEventsOf } from '../../../src/actors/published-events.ts'
import { heardIn, recordIn } from '../../../src/cli/listen/heard.ts'
import { exampleOf } from '../../../src/http/openapi/example.ts'

const message = (event: string, data: string, id: string | null = 'evt_con_1') => ({ id, event, data })
const body = '{"id":"evt_con_1","type":"connection.state_changed","data":{"id":"con_1","state":"completed"}}'

describe('what a listener hears', () => {
  it('is the event, with exactly the body that a webhook would have', () => {
    expect(heardIn(message('connection.state_changed', body))).toEqual({
      is: 'event',
      id: 'evt_con_1',
      type: 'connection.state_changed',
      recordId: 'con_1',
      isSynthetic: false,
      body,
    })
    expect(heardIn(message('connection.state_changed', body, null))).toMatchObject({ isSynthetic: true })
  })

  it('is what the stream says of itself, also in words that are not known yet', () => {
    expect(heardIn(message('stream.gap', '{}', null))).toEqual({ is: 'gap' })
    expect(heardIn(message('stream.left_out', '{"id":"evt_2","reason":"too_large"}'))).toEqual({
      is: 'left_out',
      id: 'evt_2',
      reason: 'too_large',
    })
    expect(heardIn(message('stream.end', '{"reason":"behind"}'))).toEqual({ is: 'end', reason: 'behind' })
    expect(heardIn(message('stream.end', '[]'))).toEqual({ is: 'end', reason: 'unknown' })
    expect(heardIn(message('stream.news', '{}'))).toBeNull()
  })

  it('is no event that could not be posted, nor what would take a terminal over', () => {
    const unreadable = { is: 'left_out', id: 'evt_con_1', reason: 'unreadable' }
    for (const data of ['', 'x', '[]', 'null', '{"id":"evt_1"}', '{"id":"evt\\n1","type":"x"}'])
      expect(heardIn(message('x', data))).toEqual(unreadable)
    expect(heardIn(message('x', '', 'evt_\u001b[2J'))).toMatchObject({ id: 'evt_?[2J' })
    expect(recordIn({ id: 'con_\u001b]0;x\u0007' })).toBe('con_?]0;x?')
  })
})

describe('the record of an event', () => {
  it.each(publishedEventsOf(kinds))('is found for $type', ({ type, data }) => {
    const found = recordIn(exampleOf(data))
    if (type === 'webhook.test') expect(found).toBeNull()
    else expect(found).toMatch(/^[a-z]{3}_/)
  })
})
