import { describe, expect, it } from 'vitest'
import { ExactNumber, parseExact } from '../../src/ledger/exact-json.ts'

describe('JSON with exact numbers', () => {
  it('gives back the digits it was given', () => {
    const text = '{"reqId":1732180000000000001,"small":7,"half":0.5,"list":[9007199254740993]}'
    const parsed = parseExact(text) as { reqId: unknown; small: unknown }
    expect(parsed.reqId).toBeInstanceOf(ExactNumber)
    expect(parsed.small).toBe(7)
    expect(JSON.stringify(parsed)).toBe(text)
  })
})
