import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { parseExact } from '../../../src/ledger/exact-json.ts'
import { signingText } from '../../../src/ledger/sandbox/signing-text.ts'

describe('the text that a request’s signature covers', () => {
  it('sorts keys, joins lists, and leaves the signatures out', () => {
    const request = {
      reqId: 5,
      signature: 'x',
      signatures: {},
      identifier: 'me',
      operation: { b: ['x', 'y'], a: true, c: null },
    }
    expect(signingText(request)).toBe('identifier:me|operation:a:True|b:x,y|c:|reqId:5')
  })

  it('keeps every digit of the request id', () => {
    const request = parseExact('{"reqId":1732180000000000001,"operation":{"type":"1"}}') as Record<
      string,
      unknown
    >
    expect(signingText(request)).toBe('operation:type:1|reqId:1732180000000000001')
  })

  it('puts the hash of an attribute in its place', () => {
    const raw = '{"endpoint":{}}'
    const hash = createHash('sha256').update(raw).digest('hex')
    expect(signingText({ operation: { type: '100', raw } })).toBe(`operation:raw:${hash}|type:100`)
    expect(signingText({ operation: { type: '101', raw } })).toBe(`operation:raw:${raw}|type:101`)
  })
})
