import { describe, expect, it } from 'vitest'
import { differences, whyHarmless } from '../../../native/campaign/harmless.ts'
import { inputOf, readFixture } from '../../anoncreds/verifier-fixtures.ts'

const honest = inputOf(readFixture('honest'))
const withRequest = (change: object) => ({
  ...honest,
  request: JSON.stringify({ ...(JSON.parse(honest.request) as object), ...change }),
})

describe('what an alteration changed', () => {
  it('is told by its place', () => {
    expect(differences({ a: [1, { 'b/c': 2 }], d: 3 }, { a: [1, { 'b/c': 5 }], e: 3 })).toEqual([
      { path: '/a/1/b~c', before: 2, after: 5 },
      { path: '/d', before: 3, after: undefined },
      { path: '/e', before: undefined, after: 3 },
    ])
  })

  it('is harmless outside of what is proved', () => {
    expect(whyHarmless(honest, withRequest({ name: 'another' }))).toHaveLength(1)
    expect(whyHarmless(honest, withRequest({ namex: 'request' }))).toEqual(['a member that is not read'])
  })

  it('is harmless where a number is spelled differently and stays the same', () => {
    const { nonce } = JSON.parse(honest.request) as { nonce: string }
    expect(whyHarmless(honest, withRequest({ nonce: `0${nonce}` }))).toHaveLength(1)
    expect(whyHarmless(honest, withRequest({ nonce: `${nonce}0` }))).toBe(null)
  })

  it('is harmless in the base of an attribute that is shown as 0, and of no other', () => {
    const shown = (value: string) => ({
      ...honest,
      presentation: JSON.stringify({
        proof: { proofs: [{ primary_proof: { eq_proof: { revealed_attrs: { age: value } } } }] },
        identifiers: [{ cred_def_id: 'did:x/d' }],
      }),
    })
    const withBase = (value: string, base: string) => {
      const definition = JSON.stringify({ value: { primary: { r: { age: base } } } })
      return { ...shown(value), credentialDefinitions: { 'did:x/d': definition } }
    }
    expect(whyHarmless(withBase('0', '5'), withBase('0', '6'))).toHaveLength(1)
    expect(whyHarmless(withBase('1', '5'), withBase('1', '6'))).toBe(null)
  })

  it('is not harmless where a map has one attribute more', () => {
    const { requested_attributes: asked } = JSON.parse(honest.request) as {
      requested_attributes: Record<string, unknown>
    }
    const [first = ''] = Object.keys(asked)
    const more = { requested_attributes: { ...asked, [`${first}x`]: asked[first] } }
    expect(whyHarmless(honest, withRequest(more))).toBe(null)
  })
})
