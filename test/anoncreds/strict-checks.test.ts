import { describe, expect, it } from 'vitest'
import { parsedDefinitions, strictRefusal } from '../../src/anoncreds/strict-checks.ts'
import { fixtureNames, inputOf, readFixture } from './verifier-fixtures.ts'

type Holder = Record<string, unknown>

const honest = readFixture('honest')
const definitions = parsedDefinitions(inputOf(honest).credentialDefinitions)

/** The refusal after the value at `path` became what `change` makes of it; undefined removes it. */
const refusalOf = (path: string, change: (old: unknown, root: Holder) => unknown): string | null => {
  const root: Holder = structuredClone({
    presentation: honest.presentation,
    request: honest.presentationRequest,
  })
  const names = path.split('/')
  const last = names.pop() ?? ''
  const holder = names.reduce<Holder>((at, name) => at[name] as Holder, root)
  const changed = change(holder[last], root)
  if (changed === undefined) delete holder[last]
  else holder[last] = changed
  return strictRefusal({ presentation: root['presentation'], request: root['request'], definitions })
}

const value = (path: string): unknown =>
  path.split('/').reduce<unknown>((at, name) => (at as Holder)[name], { presentation: honest.presentation })

const SUB_PROOF = 'presentation/proof/proofs/0/primary_proof'
const EQUALITY = `${SUB_PROOF}/eq_proof`
const PREDICATE = `${SUB_PROOF}/ge_proofs/0`
const SHOWN = 'presentation/requested_proof'
const COMMITMENTS = 'presentation/proof/aggregated_proof/c_list'

const power = (exponent: bigint) => () => (1n << exponent).toString()
const is = (fixed: unknown) => () => fixed
const twice = (old: unknown) => [...(old as unknown[]), (old as unknown[])[0]]
const prefixed = (prefix: string) => (old: unknown) => `${prefix}${String(old)}`

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

  it('refuse a key whose modulus is negative', () => {
    const { presentation, presentationRequest: request, credentialDefinitionId: id } = honest
    const definition = structuredClone(honest.credentialDefinition) as { value: { primary: { n: string } } }
    definition.value.primary.n = `-${definition.value.primary.n}`
    expect(strictRefusal({ presentation, request, definitions: { [id]: definition } })).toContain('modulus')
  })

  it.each<[string, string, (old: unknown) => unknown]>([
    ['e of 2^457', `${EQUALITY}/e`, power(457n)],
    ['a negative e', `${EQUALITY}/e`, prefixed('-')],
    ['a hidden value of 2^594', `${EQUALITY}/m/attr2`, power(594n)],
    ['a long v', `${EQUALITY}/v`, power(3062n)],
    ['a long m2', `${EQUALITY}/m2`, power(2434n)],
    ['an integer with a leading zero', `${EQUALITY}/v`, prefixed('0')],
    ['an integer as a number', `${EQUALITY}/e`, is(5)],
    ['the outdated m1', `${EQUALITY}/m1`, is('5')],
    ['the outdated m1, even as null', `${EQUALITY}/m1`, is(null)],
    ['an attribute both revealed and hidden', `${EQUALITY}/m/attr0`, is('5')],
    ['a hidden attribute that the credential does not have', `${EQUALITY}/m/other`, is('5')],
    ['a hidden attribute that is left out', `${EQUALITY}/m/attr3`, is(undefined)],
    ['a commitment to the credential of zero', `${EQUALITY}/a_prime`, is('0')],
    ['a revealed value that is not the proven one', `${EQUALITY}/revealed_attrs/attr0`, is('5')],
    ['no link secret', `${EQUALITY}/m/master_secret`, is(undefined)],
    ['a predicate about another value', `${PREDICATE}/mj`, () => value(`${EQUALITY}/m/attr2`)],
    ['a predicate with another bound', `${PREDICATE}/predicate/value`, is(0)],
    ['a predicate of another kind', `${PREDICATE}/predicate/p_type`, is('GE')],
    ['a predicate on another attribute', `${PREDICATE}/predicate/attr_name`, is('attr2')],
    ['a request for another bound', 'request/requested_predicates/p0/p_value', is(1)],
    ['a request of another kind', 'request/requested_predicates/p0/p_type', is('=')],
    ['a predicate that is missing', `${SUB_PROOF}/ge_proofs`, is([])],
    ['a second copy of a predicate', `${SUB_PROOF}/ge_proofs`, twice],
    ['a commitment of zero', `${PREDICATE}/t/0`, is('0')],
    ['a member of t too many', `${PREDICATE}/t/4`, is('5')],
    ['a member of u too few', `${PREDICATE}/u/3`, is(undefined)],
    ['a long alpha', `${PREDICATE}/alpha`, power(2790n)],
    ['another commitment in the list', `${COMMITMENTS}/0/5`, (old) => Number(old) ^ 1],
    ['a longer list of commitments', COMMITMENTS, twice],
    ['commitments in another order', COMMITMENTS, (old) => (old as unknown[]).toReversed()],
    ['a challenge of 2^256', 'presentation/proof/aggregated_proof/c_hash', power(256n)],
    ['a raw value that is not the encoded one', `${SHOWN}/revealed_attrs/a0/raw`, is('other')],
    ['an index that points nowhere', `${SHOWN}/predicates/p0/sub_proof_index`, is(1)],
    ['an index that is no whole number', `${SHOWN}/predicates/p0/sub_proof_index`, is(0.5)],
    ['a referent that is not answered', `${SHOWN}/revealed_attrs/a0`, is(undefined)],
    ['a referent that was not requested', `${SHOWN}/unrevealed_attrs/x`, is({ sub_proof_index: 0 })],
    ['a sub-proof too many', 'presentation/proof/proofs', twice],
    ['an identifier too many', 'presentation/identifiers', twice],
    ['an unknown definition', 'presentation/identifiers/0/cred_def_id', is('__proto__')],
    ['another schema', 'presentation/identifiers/0/schema_id', is('did:example:gov/schema/passport')],
    ['no schema', 'presentation/identifiers/0/schema_id', is(undefined)],
    ['a time of revocation', 'presentation/identifiers/0/timestamp', is(5)],
    ['a registry of revocations', 'presentation/identifiers/0/rev_reg_id', is('did:example:x/registry')],
    ['a proof of non-revocation', 'presentation/proof/proofs/0/non_revoc_proof', is({})],
    ['a negative nonce', 'request/nonce', prefixed('-')],
    ['no proof', 'presentation/proof', is(undefined)],
  ])('refuse %s', (_, path, change) => {
    expect(refusalOf(path, change)).toEqual(expect.any(String))
  })

  it('pass the presentation that nothing was changed in', () => {
    expect(refusalOf(`${EQUALITY}/e`, (old) => old)).toBeNull()
  })

  it('let only an attribute of the credential stand as there and not shown', () => {
    const withHidden = (asked: unknown): string | null =>
      refusalOf(`${SHOWN}/unrevealed_attrs`, (_, root) => {
        const request = root['request'] as Holder
        Object.assign(request['requested_attributes'] as Holder, { extra: asked })
        return { extra: { sub_proof_index: 0 } }
      })
    expect(withHidden({ name: 'ATTR 2' })).toBeNull()
    expect(withHidden({ names: ['attr2', 'attr3'] })).toBeNull()
    for (const asked of [{ name: 'absent' }, { names: ['attr2', 'absent'] }, { name: 'master_secret' }, {}])
      expect(withHidden(asked)).toEqual(expect.any(String))
  })

  it('refuse what is no object at all', () => {
    for (const presentation of [null, 5, 'x', [], {}]) {
      expect(strictRefusal({ presentation, request: {}, definitions: {} })).toEqual(expect.any(String))
    }
  })
})
