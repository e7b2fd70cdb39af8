import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/didcomm/message.ts'
import { composeMessage, parseMessage } from '../../src/didcomm/message.ts'
import { isProblemReport, problemReportMessage, problemReportOf } from '../../src/didcomm/problem-report.ts'

const read = (text: string): Message => {
  const message = parseMessage(text)
  if (!message) throw new Error('no message')
  return message
}

describe('a problem report', () => {
  it('is one in every protocol, its text cut', () => {
    const text = 'x'.repeat(9000)
    const report = read(problemReportMessage({ protocol: 'notification/1.0', threadId: 't', text }))
    expect(isProblemReport(report)).toBe(true)
    expect(report.id).toBe('t.problem')
    expect(problemReportOf(report)).toEqual({ threadId: 't', code: 'abandoned', text: text.slice(0, 500) })
  })

  it('that says nothing has a code all the same', () => {
    const report = read(composeMessage({ id: 'q', type: 'a/1.0/problem-report' }))
    expect(problemReportOf(report)).toMatchObject({ code: 'unspecified', text: '' })
  })
})
