import { describe, expect, it } from 'vitest'
import { type Message, MessageParser } from '../../../src/cli/listen/message-parser.ts'

const STREAM =
  'retry: 3000\n: events follow\n\nid: evt_1\nevent: proof.state_changed\ndata: {"a": 1}\n\n: still here\n\nevent: stream.gap\r\ndata: {}\r\n\r\nevent: two\ndata: x\ndata:y\n\ndata\n\nid: evt_9\n\n'
const MESSAGES: readonly Message[] = [
  { id: 'evt_1', event: 'proof.state_changed', data: '{"a": 1}' },
  { id: null, event: 'stream.gap', data: '{}' },
  { id: null, event: 'two', data: 'x\ny' },
  { id: null, event: '', data: '' },
]

describe('a stream of server-sent events', () => {
  it('is read as it comes, wherever it is cut', () => {
    for (let length = 1; length <= STREAM.length; length++) {
      const parser = new MessageParser()
      const found: Message[] = []
      for (let at = 0; at < STREAM.length; at += length)
        found.push(...parser.take(STREAM.slice(at, at + length)))
      expect(found).toEqual(MESSAGES)
      expect(parser.retryMs).toBe(3_000)
    }
  })

  it('has no message without an end, and none that takes all memory', () => {
    const parser = new MessageParser()
    expect(parser.take('id: evt_1\ndata: {}\n')).toEqual([])
    const endless = () => {
      for (let line = 0; line < 100; line++) parser.take(`data: ${'x'.repeat(100_000)}\n`)
    }
    expect(endless).toThrow('too long')
    const empty = new MessageParser()
    const endlessLines = () => {
      for (let part = 0; part < 1_000; part++) empty.take('data\n'.repeat(1_000))
    }
    expect(endlessLines).toThrow('too long')
    expect(() => new MessageParser().take('x'.repeat(3_000_000))).toThrow('too long')
  })
})
