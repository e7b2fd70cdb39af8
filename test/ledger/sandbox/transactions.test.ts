import { describe, expect, it } from 'vitest'
import { ExactNumber } from '../../../src/ledger/exact-json.ts'
import { withBigIntegers } from '../../../src/ledger/sandbox/transactions.ts'

describe('a transaction on its way into the tree', () => {
  it('has its long numbers as integers, wherever they stand', () => {
    const digits = '1732180000000000001'
    const value = { a: [new ExactNumber(digits)], b: { c: new ExactNumber(digits), d: null, e: 'x' } }
    expect(withBigIntegers(value)).toEqual({ a: [BigInt(digits)], b: { c: BigInt(digits), d: null, e: 'x' } })
  })
})
