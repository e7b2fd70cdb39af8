import { describe, expect, it } from 'vitest'
import { strictRefusal } from '../../src/anoncreds/strict-checks.ts'
import { fixtureNames, readFixture } from './verifier-fixtures.ts'

// biome-ignore lint/suspicious/noExplicitAny: a presentation is altered in every possible place
type Loose = any

const refusalOf = (alter: (presentation: Loose, request: Loose) => void): string | null => {
  const fixture = structuredClone(readFixture('honest'))
  alter(fixture.presentation, fixture.presentationRequest)
  return strictRefusal({
    presentation: fixture.presentation,
    request: fixture.presentationRequest,
    definitions: { [fixture.credentialDefinitionId]: fixture.credentialDefinition },
  })
}

const equality = (presentation: Loose): Loose => presentation.proof.proofs[0].primary_proof.eq_proof
const predicate = (presentation: Loose): Loose => presentation.proof.proofs[0].primary_proof.ge_proofs[0]

describe('the strict checks', () => {
  it.each(fixtureNames)('judge the presentation "%s" as expected', (name) => {
    const fixture = readFixture(name)
    const refusal = strictRefusal({
      presentation: fixture.presentation,
      request: fixture.presentationRequest,
      definitions: { [fixture.credentialDefinitionId]: fixture.credentialDefinition },
    })
    expect(refusal === null ? 'accepted' : 'refused').toBe(fixture.expect)
  })

  it.each<[string, (presentation: Loose, request: Loose) => void]>([
    ['e of 2^457', (p) => (equality(p).e = (1n << 457n).toString())],
    ['a negative e', (p) => (equality(p).e = `-${equality(p).e}`)],
    ['a hidden value of 2^594', (p) => (equality(p).m.attr2 = (1n << 594n).toString())],
    ['a long v', (p) => (equality(p).v = (1n << 3062n).toString())],
    ['a long m2', (p) => (equality(p).m2 = (1n << 2434n).toString())],
    ['an integer with a leading zero', (p) => (equality(p).v = `0${equality(p).v}`)],
    ['an integer as a number', (p) => (equality(p).e = 5)],
    ['the outdated m1', (p) => (equality(p).m1 = equality(p).m.master_secret)],
    ['an attribute both revealed and hidden', (p) => (equality(p).m.attr0 = '5')],
    ['a predicate about another value', (p) => (predicate(p).mj = equality(p).m.attr2)],
    ['a predicate with another bound', (p) => (predicate(p).predicate.value = 0)],
    ['a predicate of another kind', (p) => (predicate(p).predicate.p_type = 'GE')],
    ['a request for another bound', (_, r) => (r.requested_predicates.p0.p_value = 1)],
    ['a predicate that is missing', (p) => (p.proof.proofs[0].primary_proof.ge_proofs = [])],
    ['a second copy of a predicate', (p) => p.proof.proofs[0].primary_proof.ge_proofs.push(predicate(p))],
    ['a commitment of zero', (p) => (predicate(p).t['0'] = '0')],
    ['a member of t too many', (p) => (predicate(p).t['4'] = '5')],
    ['another commitment in the list', (p) => (p.proof.aggregated_proof.c_list[0][5] ^= 1)],
    ['a longer list of commitments', (p) => p.proof.aggregated_proof.c_list.push([1])],
    ['commitments in another order', (p) => p.proof.aggregated_proof.c_list.reverse()],
    ['a raw value that is not the encoded one', (p) => (p.requested_proof.revealed_attrs.a0.raw = 'other')],
    ['a revealed value that is not the proven one', (p) => (equality(p).revealed_attrs.attr0 = '5')],
    ['a sub-proof too many', (p) => p.proof.proofs.push(p.proof.proofs[0])],
    ['an identifier too many', (p) => p.identifiers.push(p.identifiers[0])],
    ['an index that points nowhere', (p) => (p.requested_proof.predicates.p0.sub_proof_index = 1)],
    ['an index that is no whole number', (p) => (p.requested_proof.predicates.p0.sub_proof_index = 0.5)],
    ['a referent that is not answered', (p) => delete p.requested_proof.revealed_attrs.a0],
    ['a referent that was not requested', (p) => (p.requested_proof.unrevealed_attrs.x = { sub_proof_index: 0 })],
    ['an unknown definition', (p) => (p.identifiers[0].cred_def_id = '__proto__')],
    ['no link secret', (p) => delete equality(p).m.master_secret],
    ['no proof', (p) => delete p.proof],
  ])('refuse %s', (_, alter) => {
    expect(refusalOf(alter)).toEqual(expect.any(String))
  })

  it('refuse what is no object at all', () => {
    for (const presentation of [null, 5, 'x', [], {}]) {
      expect(strictRefusal({ presentation, request: {}, definitions: {} })).toEqual(expect.any(String))
    }
  })
})
