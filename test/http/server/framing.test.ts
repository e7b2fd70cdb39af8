import { describe, expect, it } from 'vitest'
import { HeaderReader } from '../../../src/http/server/framing.ts'

const read = (...headers: readonly (readonly [string, string])[]): HeaderReader => {
  const reader = new HeaderReader()
  reader.add('host', 'a')
  for (const [name, value] of headers) reader.add(name, value)
  reader.check()
  return reader
}

describe('the header reader', () => {
  it.each([
    [
      ['content-length', '3'],
      ['content-length', '5'],
    ],
    [
      ['content-length', '3'],
      ['content-length', '3'],
    ],
    [['content-length', '+3']],
    [['content-length', '3, 3']],
    [['content-length', '']],
    [['content-length', '9999999999999999']],
    [['transfer-encoding', 'xchunked']],
    [['transfer-encoding', 'gzip, chunked']],
    [
      ['transfer-encoding', 'chunked'],
      ['transfer-encoding', 'chunked'],
    ],
    [
      ['transfer-encoding', 'chunked'],
      ['content-length', '3'],
    ],
    [['host', 'a']],
    [
      ['authorization', 'Bearer a'],
      ['authorization', 'Bearer b'],
    ],
    [
      ['idempotency-key', 'a'],
      ['idempotency-key', 'b'],
    ],
  ] as [string, string][][])('suspects %j', (...headers) => {
    expect(read(...headers).objection).toMatch(/[a-z]/)
  })

  it('suspects a request without a host', () => {
    const reader = new HeaderReader()
    reader.check()
    expect(reader.objection).toContain('host')
  })

  it('knows the length of a body, and that a chunked one has none yet', () => {
    expect(read(['content-length', '12']).bodyBytes()).toBe(12)
    expect(read(['transfer-encoding', 'Chunked']).bodyBytes()).toBeNull()
    expect([
      read().hasBody(),
      read(['content-length', '0']).hasBody(),
      read(['transfer-encoding', 'chunked']).hasBody(),
    ]).toEqual([false, false, true])
  })

  it('joins headers that may be repeated', () => {
    const reader = read(['accept', 'a'], ['accept', 'b'])
    expect([reader.objection, reader.headers.get('accept')]).toEqual([null, 'a, b'])
  })
})
