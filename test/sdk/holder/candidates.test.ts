import { describe, expect, it } from 'vitest'
import {
  bestSelection,
  candidatesFor,
  checkSelection,
  isQualified,
} from '../../../sdk/core/holder/candidates.ts'
import type { Credential } from '../../../sdk/core/holder/credentials.ts'
import type { Requested } from '../../../sdk/core/holder/requested.ts'

const PERSON = 'V4SGRU86Z58d6TV7PBUe6f:3:CL:4:default'
const LONG_PERSON = 'did:indy:sandbox:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/CLAIM_DEF/4/default'

const credential = (id: string, more: Partial<Credential> = {}): Credential => ({
  id,
  connectionId: null,
  credentialDefinitionId: PERSON,
  schemaId: 'V4SGRU86Z58d6TV7PBUe6f:2:person:1.0',
  schemaName: 'person',
  schemaVersion: '1.0',
  issuerId: 'V4SGRU86Z58d6TV7PBUe6f',
  attributes: { name: 'Ada', age: '36' },
  receivedAt: new Date(0),
  expiresAt: null,
  expired: false,
  ...more,
})

type Restrictions = Requested['restrictions']
const name = (restrictions: Restrictions = []): Requested => ({
  kind: 'attributes',
  referent: 'person',
  group: 'person',
  names: ['name'],
  restrictions,
})
const age = (operator: '>' | '>=' | '<' | '<=', value: number, referent = 'person.0'): Requested => ({
  kind: 'predicate',
  referent,
  group: 'person',
  name: 'age',
  operator,
  value,
  restrictions: [],
})
const answering = (requested: Requested, ...credentials: readonly Credential[]): readonly string[] =>
  (candidatesFor([requested], credentials)[requested.referent] ?? []).map(({ id }) => id)

describe('a candidate', () => {
  it('has every attribute that is asked for', () => {
    const both: Requested = { ...name(), kind: 'attributes', names: ['name', 'size'] }
    expect(answering(both, credential('a'))).toEqual([])
    expect(answering(both, credential('a', { attributes: { name: 'Ada', size: '1' } }))).toEqual(['a'])
    const foreign: Requested = { ...name(), kind: 'attributes', names: ['constructor'] }
    expect(answering(foreign, credential('a'))).toEqual([])
  })

  it.each([
    [[{ cred_def_id: PERSON }], true],
    [[{ cred_def_id: LONG_PERSON }], true],
    [[{ cred_def_id: 'other' }], false],
    [[{ cred_def_id: 'other' }, { cred_def_id: PERSON }], true],
    [[{ cred_def_id: PERSON, schema_version: '2.0' }], false],
    [[{ schema_id: 'did:indy:sandbox:V4SGRU86Z58d6TV7PBUe6f/anoncreds/v0/SCHEMA/person/1.0' }], true],
    [[{ issuer_did: 'did:indy:sandbox:V4SGRU86Z58d6TV7PBUe6f', schema_name: 'person' }], true],
    [[{ something_new: 'x' }], false],
  ])('satisfies one of the restrictions, if there are any: %j', (restrictions, satisfies) => {
    expect(answering(name(restrictions), credential('a'))).toEqual(satisfies ? ['a'] : [])
  })

  it.each([
    [age('>=', 36), true],
    [age('>', 36), false],
    [age('<=', 36), true],
    [age('<', 36), false],
  ])('satisfies the predicate: %j', (predicate, satisfies) => {
    expect(answering(predicate, credential('a'))).toEqual(satisfies ? ['a'] : [])
  })

  it.each(['thirty', '36.0', '+36', '', '99999999999'])(
    'has a number that can be compared, not %j',
    (text) => {
      expect(answering(age('>', 0), credential('a', { attributes: { age: text } }))).toEqual([])
    },
  )

  it('comes behind the others when it has expired', () => {
    expect(answering(name(), credential('old', { expired: true }), credential('new'))).toEqual(['new', 'old'])
  })
})

describe('a selection', () => {
  const select = (requested: readonly Requested[], ...credentials: readonly Credential[]) =>
    bestSelection(requested, candidatesFor(requested, credentials))

  it('takes one credential for all of a group', () => {
    const young = credential('young', { attributes: { name: 'Ada', age: '17' } })
    expect(select([name(), age('>=', 18)], young, credential('grown'))).toEqual({
      person: 'grown',
      'person.0': 'grown',
    })
  })

  it('takes none that has expired, and says what has no answer', () => {
    expect(() => select([name()], credential('a', { expired: true }))).toThrow('no credential answers person')
    expect(() => select([name(), age('>', 40)], credential('a'))).toThrow('no credential answers person.0')
  })

  it('is refused when it is not whole, does not answer, or has more than is asked for', () => {
    const requested = [name(), age('>=', 18)]
    const candidates = candidatesFor(requested, [credential('a')])
    const check = (selection: Readonly<Record<string, string>>) => () =>
      checkSelection(requested, candidates, selection)
    expect(check({ person: 'a', 'person.0': 'a' })).not.toThrow()
    expect(check({ person: 'a' })).toThrow('nothing is chosen for person.0')
    expect(check({ person: 'b', 'person.0': 'a' })).toThrow('does not answer')
    expect(check({ person: 'a', 'person.0': 'a', more: 'a' })).toThrow('nothing called more')
  })
})

describe('the form of names in a request', () => {
  it('is the short one as soon as one name is short', () => {
    expect(isQualified([name([{ cred_def_id: LONG_PERSON, schema_name: 'person' }])])).toBe(true)
    expect(isQualified([name([{ cred_def_id: LONG_PERSON }]), name([{ cred_def_id: PERSON }])])).toBe(false)
  })
})
