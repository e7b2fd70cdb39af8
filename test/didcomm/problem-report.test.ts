import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/didcomm/message.ts'
import { composeMessage, parseMessage } from '../../src/didcomm/message.ts'
import { OLD_PREFIX, PREFIX } from '../../src/domain/message-prefix.ts'
import { isProblemReport, problemReportMessage, problemReportOf } from '../../src/didcomm/problem-report.ts'

const read = (text: string): Message => {
  const message = parseMessage(text)
  if (!message) throw new Error('no message')
  return message
}

describe('a problem report', () => {
  it('is one in every protocol, its text cut', () => {
    const text = 'x'.repeat(9000)
    const facts = {
      protocol: 'notification/1.0',
      prefix: OLD_PREFIX,
      threadId: 't',
      code: 'abandoned',
      text,
    } as const
    const report = read(problemReportMessage(facts))
    expect([report.type, report.prefix]).toEqual(['notification/1.0/problem-report', OLD_PREFIX])
    expect(isProblemReport(report)).toBe(true)
    expect(report.id).toBe('t.problem')
    expect(problemReportOf(report)).toEqual({ threadId: 't', code: 'abandoned', text: text.slice(0, 500) })
  })

  it('of a handshake is spelt as RFC 0023 does, there and back', () => {
    const facts = { prefix: PREFIX, threadId: 't', code: 'request_not_accepted', text: 'No.' } as const
    const report = read(problemReportMessage({ protocol: 'didexchange/1.0', ...facts }))
    expect(report.type).toBe('didexchange/1.0/problem_report')
    expect(report.body).toMatchObject({ 'problem-code': 'request_not_accepted', explain: 'No.' })
    expect(isProblemReport(report)).toBe(true)
    const theirs = { 'problem-code': 'response_not_accepted', explain: 'No key.' }
    const said = read(composeMessage({ id: 'q', type: 'didexchange/1.1/problem_report', ...theirs }))
    expect(problemReportOf(said)).toMatchObject({ code: 'response_not_accepted', text: 'No key.' })
  })

  it('that says nothing has a code all the same', () => {
    const report = read(composeMessage({ id: 'q', type: 'a/1.0/problem-report' }))
    expect(problemReportOf(report)).toMatchObject({ code: 'unspecified', text: '' })
  })
})
