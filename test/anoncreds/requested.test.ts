import { describe, expect, it } from 'vitest'
import { demandsOf, inProverOrder, sameNames } from '../../src/anoncreds/requested.ts'

const MIN = -(2 ** 31)
const MAX = 2 ** 31 - 1

const request = {
  requested_attributes: {
    a: { name: 'First Name' },
    g: { names: ['x', 'Y'] },
    s: { name: 'free' },
    h: { name: 'z' },
  },
  requested_predicates: { p: { name: 'Age', p_type: '>=', p_value: 18 } },
}

const presentation = {
  identifiers: [{}, {}],
  requested_proof: {
    revealed_attrs: { a: { sub_proof_index: 1, raw: '5', encoded: '5' } },
    revealed_attr_groups: {
      g: { sub_proof_index: 0, values: { x: { raw: '1', encoded: '1' }, Y: { raw: '2', encoded: '2' } } },
    },
    self_attested_attrs: { s: 'free text' },
    unrevealed_attrs: { h: { sub_proof_index: 0 } },
    predicates: { p: { sub_proof_index: 1 } },
  },
}

describe('what is requested', () => {
  it('is sorted by the sub-proof that answers it', () => {
    const [first, second] = demandsOf(request, presentation)
    expect([...(first?.revealed ?? [])]).toEqual([
      ['x', '1'],
      ['y', '2'],
    ])
    expect([...(first?.hidden ?? [])]).toEqual(['z'])
    expect([...(second?.revealed ?? [])]).toEqual([['firstname', '5']])
    expect([...(second?.predicates.values() ?? [])]).toEqual([{ attribute: 'age', type: 'GE', value: 18 }])
  })

  it('is ordered as provers order predicates', () => {
    const predicates = [
      { attribute: 'b', type: 'GE', value: 1 },
      { attribute: 'a', type: 'LT', value: 1 },
      { attribute: 'a', type: 'GT', value: -5 },
      { attribute: 'a', type: 'GT', value: -50 },
      { attribute: 'a', type: 'LE', value: 7 },
    ]
    expect(
      inProverOrder(predicates).map(({ attribute, type, value }) => `${attribute} ${type} ${value}`),
    ).toEqual(['a LE 7', 'a GT -50', 'a GT -5', 'a LT 1', 'b GE 1'])
  })

  it('must be something that a number of 32 bits can meet', () => {
    const demand = (p_type: string, p_value: number) => () =>
      demandsOf({ ...request, requested_predicates: { p: { name: 'Age', p_type, p_value } } }, presentation)
    for (const [type, value] of [
      ['>', MAX],
      ['<', MIN],
      ['>=', MAX + 1],
      ['<=', MIN - 1],
    ] as const)
      expect(demand(type, value), `${type} ${value}`).toThrow('no value of 32 bits')
    for (const [type, value] of [
      ['>', MAX - 1],
      ['<', MIN + 1],
      ['>=', MAX],
      ['<=', MIN],
    ] as const)
      expect(demand(type, value), `${type} ${value}`).not.toThrow()
  })

  it('must be answered once each', () => {
    expect(() => sameNames(['a', 'a'], ['a'], 'names')).toThrow('are not those that are wanted')
    expect(() => sameNames(['a'], ['a', 'b'], 'names')).toThrow('are not those that are wanted')
    expect(() => sameNames(['b', 'a'], ['a', 'b'], 'names')).not.toThrow()
  })
})
