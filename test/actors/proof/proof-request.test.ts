import { describe, expect, it } from 'vitest'
import { proofRequestOf } from '../../../src/actors/proof/proof-request.ts'
import type { TemplatePredicate } from '../../../src/actors/proof-template/rules.ts'

const NOW = Date.UTC(2026, 10, 21, 12, 0, 0)
const MAX = 2 ** 31 - 1
const group = (name: string, attributes: string[], credentialDefinitionIds = ['one', 'two']) => ({
  name,
  credentialDefinitionIds,
  attributes,
})
const own = new Set(['one', 'two'])
const compared = (attribute: string, operator: TemplatePredicate['operator'], value: number) =>
  ({ group: 'a', attribute, operator, value }) as const

/** What is asked beside the expiry, as texts. */
const asked = (predicates: readonly TemplatePredicate[], ownDefinitions: ReadonlySet<string> = own) => {
  const template = { name: 'E', groups: [group('a', [])], predicates }
  const { requested_predicates } = proofRequestOf(template, ownDefinitions, '1', NOW)
  return Object.entries(requested_predicates)
    .map(([referent, { name, p_type, p_value }]) => `${referent} ${name} ${p_type} ${p_value}`)
    .slice(1)
}

describe('a proof request', () => {
  it('asks every group for a credential that has not expired', () => {
    const template = { name: 'Entry', groups: [group('a', ['x']), group('b', [])], predicates: [] }
    const { requested_attributes, requested_predicates } = proofRequestOf(template, own, '1', NOW)
    const restrictions = [{ cred_def_id: 'one' }, { cred_def_id: 'two' }]
    expect(requested_attributes).toEqual({ a: { names: ['x'], restrictions } })
    const fresh = { name: 'expiresAt', p_type: '>', p_value: NOW / 1_000, restrictions }
    expect(requested_predicates).toEqual({ 'a.0': fresh, 'b.0': fresh })
  })

  it('resolves relative dates at the moment of the request', () => {
    const of = (attribute: string, value: number | { yearsAgo: number } | { secondsFromNow: number }) =>
      ({ group: 'a', attribute, operator: '<=', value }) as const
    const predicates = [of('born', { yearsAgo: 18 }), of('until', { secondsFromNow: 60 }), of('n', 5)]
    const request = proofRequestOf({ name: 'E', groups: [group('a', [])], predicates }, own, '1', NOW)
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
    const predicates = [of('>', 400_000_000), of('>=', 400_000_000), of('<', -MAX)]
    const values = (nowMs: number): number[] => {
      const request = proofRequestOf({ name: 'E', groups: [group('a', [])], predicates }, own, '1', nowMs)
      return Object.values(request.requested_predicates).map(({ p_value }) => p_value)
    }
    expect(values(NOW)).toEqual([NOW / 1_000, MAX - 1, MAX, NOW / 1_000 - MAX])
    expect(values(Date.UTC(2040, 0, 1))[0]).toBe(MAX - 1)
    expect(values(-10_000)[3]).toBe(-MAX)
  })

  it('bounds what it compares upwards, so that no text is taken for a number', () => {
    expect(asked([compared('age', '>=', 18), compared('score', '>', -5)])).toEqual([
      'a.1 age >= 18',
      'a.2 score > -5',
      `a.3 age <= ${MAX}`,
      `a.4 score <= ${MAX - 5}`,
    ])
    expect(asked([compared('age', '>=', -MAX)])).toEqual([`a.1 age >= ${-MAX}`, 'a.2 age <= 0'])
  })

  it('bounds an attribute once, as low as wallets need it for every comparison', () => {
    const predicates = [compared('age', '>=', -7), compared('age', '>', 18), compared('age', '>', -9)]
    expect(asked(predicates).slice(3)).toEqual([`a.4 age <= ${MAX - 9}`])
  })

  it('leaves to the template what the template bounds', () => {
    const predicates = [compared('age', '<', 66), compared('age', '>=', 18), compared('born', '<=', 5)]
    expect(asked(predicates)).toEqual(['a.1 age < 66', 'a.2 age >= 18', 'a.3 born <= 5'])
  })

  it('bounds the expiry unless all definitions of the group are the organisation’s own', () => {
    expect(asked([], own)).toEqual([])
    expect(asked([], new Set(['one']))).toEqual([`a.1 expiresAt <= ${MAX}`])
    expect(asked([compared('expiresAt', '>=', 5)], own)).toEqual(['a.1 expiresAt >= 5'])
    const groups = [group('a', [], ['one']), group('b', [], ['three'])]
    const request = proofRequestOf({ name: 'E', groups, predicates: [] }, own, '1', NOW)
    expect(Object.keys(request.requested_predicates)).toEqual(['a.0', 'b.0', 'b.1'])
    expect(request.requested_predicates['b.1']?.restrictions).toEqual([{ cred_def_id: 'three' }])
  })
})
