import { describe, expect, it } from 'vitest'
import type { HeardEvent } from '../../../src/cli/listen/heard.ts'
import { ListeningText } from '../../../src/cli/listen/listening-text.ts'
import { createOutput } from '../../../src/cli/output.ts'

const event: HeardEvent = {
  is: 'event',
  id: 'evt_pro_1_2',
  type: 'proof.state_changed',
  recordId: 'pro_1',
  isSynthetic: false,
  body: '{"data":{"disclosed":{"person":{"name":"Ada Lovelace"}}}}',
}
const accepted = { status: 204, durationMs: 12, error: null }
const refused = { status: 500, durationMs: 3, error: 'the receiver answered 500' }
const away = { status: null, durationMs: 1, error: 'the connection failed (ECONNREFUSED)' }

const written = (json: boolean) => {
  const said = { out: '', err: '' }
  const output = createOutput(
    json,
    (text) => void (said.out += text),
    (text) => void (said.err += text),
  )
  const text = new ListeningText(output, () => new Date('2026-01-31T12:00:00.000Z'))
  text.heard(event)
  text.heard({ ...event, recordId: null })
  text.attempted({ event, attempt: 1, answer: refused, againMs: 1_000 })
  text.attempted({ event, attempt: 6, answer: away, againMs: null })
  text.attempted({ event, attempt: 1, answer: accepted, againMs: null })
  text.attempted({ event, attempt: 6, answer: { ...away, error: 'a \u001b[2J\u009b' }, againMs: null })
  text.stream({ is: 'connected' })
  text.stream({ is: 'away', reason: 'Nothing answers.', waitMs: 1_200 })
  text.stream({ is: 'gap' })
  text.stream({ is: 'left_out', id: 'evt_1', reason: 'too_large' })
  text.stream({ is: 'end', reason: 'behind' })
  text.stream({ is: 'end', reason: 'something new' })
  return said
}

describe('what is said of events that are heard', () => {
  it('is a line for each attempt, and sentences on stderr about the stream', () => {
    const { out, err } = written(false)
    const line = '2026-01-31T12:00:00.000Z  evt_pro_1_2  proof.state_changed  pro_1'
    expect(out.split('\n')).toEqual([
      line,
      '2026-01-31T12:00:00.000Z  evt_pro_1_2  proof.state_changed  –',
      `${line}  the receiver answered 500; again in 1 s`,
      `${line}  the connection failed (ECONNREFUSED); given up after 6 attempts`,
      `${line}  204 in 12 ms`,
      `${line}  a ?[2J?; given up after 6 attempts`,
      '',
    ])
    expect(err.split('\n')).toEqual([
      'Listening. Ctrl+C ends it.',
      'Nothing answers. Trying again in 2 s …',
      'Events may be missing from before this moment: the GET routes show how the records are.',
      'evt_1 does not come here (too_large): the GET routes show its record.',
      'This listener was too slow, and is behind by more than the service keeps.',
      'The service has ended the stream (something new).',
      '',
    ])
  })

  it('is an object on each line for programs', () => {
    const { out, err } = written(true)
    const facts = {
      at: '2026-01-31T12:00:00.000Z',
      id: 'evt_pro_1_2',
      type: 'proof.state_changed',
      recordId: 'pro_1',
    }
    const lines = out.trimEnd().split('\n')
    expect(lines.map((each) => JSON.parse(each) as object).slice(0, 8)).toEqual([
      facts,
      { ...facts, recordId: null },
      { ...facts, outcome: 'tried_again', attempt: 1, ...refused },
      { ...facts, outcome: 'given_up', attempt: 6, ...away },
      { ...facts, outcome: 'accepted', attempt: 1, ...accepted },
      { ...facts, outcome: 'given_up', attempt: 6, ...away, error: 'a ?[2J?' },
      { at: facts.at, stream: { is: 'connected' } },
      { at: facts.at, stream: { is: 'away', reason: 'Nothing answers.', waitMs: 1_200 } },
    ])
    expect([lines.length, err]).toEqual([12, ''])
  })

  it('has nothing of what an event says of a person', () => {
    for (const json of [false, true]) expect(JSON.stringify(written(json))).not.toMatch(/Ada|disclosed/)
  })
})
