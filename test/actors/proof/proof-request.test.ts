import { describe, expect, it } from 'vitest'
import { proofRequestOf } from '../../../src/actors/proof/proof-request.ts'

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0)
const group = (name: string, attributes: string[]) => ({
  name,
  credentialDefinitionIds: ['one', 'two'],
  attributes,
})

describe('a proof request', () => {
  it('asks every group for a credential that has not expired', () => {
    const template = { name: 'Entry', groups: [group('a', ['x']), group('b', [])], predicates: [] }
    const { requested_attributes, requested_predicates } = proofRequestOf(template, '1', NOW)
    const restrictions = [{ cred_def_id: 'one' }, { cred_def_id: 'two' }]
    expect(requested_attributes).toEqual({ a: { names: ['x'], restrictions } })
    const fresh = { name: 'expiresAt', p_type: '>', p_value: NOW / 1_000, restrictions }
    expect(requested_predicates).toEqual({ 'a.0': fresh, 'b.0': fresh })
  })

  it('resolves relative dates at the moment of the request', () => {
    const of = (attribute: string, value: number | { yearsAgo: number } | { secondsFromNow: number }) =>
      ({ group: 'a', attribute, operator: '<=', value }) as const
    const predicates = [of('born', { yearsAgo: 18 }), of('until', { secondsFromNow: 60 }), of('n', 5)]
    const request = proofRequestOf({ name: 'E', groups: [group('a', [])], predicates }, '1', NOW)
    expect(Object.values(request.requested_predicates).map(({ p_value }) => p_value)).toEqual([
      NOW / 1_000,
      20081121,
      NOW / 1_000 + 60,
      5,
    ])
  })

  it('never asks for more than 32 bits can exceed', () => {
    const of = (operator: '>' | '>=' | '<', secondsFromNow: number) =>
      ({ group: 'a', attribute: 'until', operator, value: { secondsFromNow } }) as const
    const predicates = [of('>', 400_000_000), of('>=', 400_000_000), of('<', -(2 ** 31 - 1))]
    const values = (nowMs: number): number[] => {
      const request = proofRequestOf({ name: 'E', groups: [group('a', [])], predicates }, '1', nowMs)
      return Object.values(request.requested_predicates).map(({ p_value }) => p_value)
    }
    expect(values(NOW)).toEqual([NOW / 1_000, 2 ** 31 - 2, 2 ** 31 - 1, NOW / 1_000 - (2 ** 31 - 1)])
    expect(values(Date.UTC(2040, 0, 1))[0]).toBe(2 ** 31 - 2)
    expect(values(-10_000)[3]).toBe(-(2 ** 31) + 1)
  })
})
