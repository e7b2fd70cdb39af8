import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../../src/actors/idempotency-claim/idempotency.ts'

describe('canonical JSON', () => {
  it('does not depend on the order of properties, at any depth', () => {
    const one = { b: [1, { y: null, x: 'ä' }], a: true }
    const other = { a: true, b: [1, { x: 'ä', y: null }] }
    expect(canonicalJson(one)).toBe('{"a":true,"b":[1,{"x":"ä","y":null}]}')
    expect(canonicalJson(other)).toBe(canonicalJson(one))
  })

  it('keeps the order of lists', () => {
    expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]))
  })

  it('takes a property of any name', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":1}'))).toBe('{"__proto__":1}')
  })

  it('has a text for nothing', () => {
    expect(canonicalJson(undefined)).toBe('null')
  })
})
