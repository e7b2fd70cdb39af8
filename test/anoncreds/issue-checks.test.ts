import { describe, expect, it } from 'vitest'
import type { CredentialInput } from '../../src/ports/anoncreds.ts'
import { issueRefusal } from '../../src/anoncreds/issue-checks.ts'

const request = {
  cred_def_id: 'did:example:issuer/definition/one',
  entropy: 'e',
  nonce: '5',
  blinded_ms: { u: '5', ur: null, hidden_attributes: ['master_secret'], committed_attributes: {} },
}

const input = (changes: object = {}, values: unknown = { name: 'Ann', age: '30' }): CredentialInput => ({
  credentialDefinition: '{}',
  credentialDefinitionPrivate: '{}',
  offer: JSON.stringify({ cred_def_id: request.cred_def_id, nonce: '5' }),
  request: JSON.stringify({ ...request, ...changes }),
  values: values as CredentialInput['values'],
})

describe('what is checked before signing', () => {
  it('lets the requests of all known wallets pass', () => {
    expect(issueRefusal(input())).toBeNull()
    expect(issueRefusal(input({ prover_did: null }))).toBeNull()
    expect(issueRefusal(input({ entropy: undefined, prover_did: 'V4SGRU86Z58d6TV7PBUe6f' }))).toBeNull()
    expect(issueRefusal(input({}, { 'First Name': '', 'last name': 'Müller 😀' }))).toBeNull()
  })

  it.each<[string, object]>([
    ['another definition', { cred_def_id: 'did:example:issuer/definition/two' }],
    ['no definition', { cred_def_id: undefined }],
    ['both entropy and prover_did', { prover_did: 'x' }],
    ['neither', { entropy: undefined }],
    ['no secret', { blinded_ms: { ...request.blinded_ms, hidden_attributes: [] } }],
    ['more secrets', { blinded_ms: { ...request.blinded_ms, hidden_attributes: ['master_secret', 'name'] } }],
    ['a committed value', { blinded_ms: { ...request.blinded_ms, committed_attributes: { name: '5' } } }],
    ['a part for revocation', { blinded_ms: { ...request.blinded_ms, ur: '1 0 0' } }],
  ])('refuses a request with %s', (_, changes) => {
    expect(issueRefusal(input(changes))).toEqual(expect.any(String))
  })

  it.each<[string, unknown]>([
    ['a NUL in a value', { name: 'A\0B' }],
    ['a NUL in a name', { 'na\0me': 'A' }],
    ['half a character', { name: '\ud800' }],
    ['a number', { name: 5 }],
    ['nothing', { name: null }],
    ['two names that are one to the library', { 'na me': 'A', NAME: 'B' }],
  ])('refuses values with %s', (_, values) => {
    expect(issueRefusal(input({}, values))).toEqual(expect.any(String))
  })

  it('refuses what is no request at all', () => {
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '['.repeat(500_000),
      `{"x":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
    ])
      expect(issueRefusal({ ...input(), request: text }), text.slice(0, 9)).toEqual(expect.any(String))
  })
})
