import { describe, expect, it } from 'vitest'
import {
  type CredentialEvent,
  type CredentialTypes,
  credentialDecider,
} from '../../../src/actors/credential/rules.ts'

const about = { tenant: 't', connectionId: 'c', externalId: null, credentialDefinitionId: 'd' }
const offered: CredentialEvent = {
  type: 'CredentialOffered',
  atMs: 1,
  tenant: 't',
  connectionId: 'c',
  externalId: null,
  definition: { catalogueId: 'd', ledgerId: 'l' },
  threadId: 'x',
  nonce: '1',
  attributes: { name: 'Ada' },
  change: { state: 'offer-sent', previousState: null, sequence: 1 },
}
const requested: CredentialEvent = {
  type: 'CredentialRequested',
  atMs: 2,
  request: '{}',
  ...about,
  change: { state: 'request-received', previousState: 'offer-sent', sequence: 2 },
}
const evolve = (...events: CredentialEvent[]): CredentialTypes['state'] =>
  events.reduce(credentialDecider.evolve, credentialDecider.initialState)

describe('the state of a credential exchange', () => {
  it('drops the request with the signature', () => {
    const signed = evolve(offered, requested, { type: 'CredentialSigned', atMs: 3, credential: '{"s":1}' })
    expect(signed).toMatchObject({ request: null, credential: '{"s":1}' })
  })

  it('stays signed when the credential itself was erased', () => {
    const signed = evolve(offered, requested, { type: 'CredentialSigned', atMs: 3, credential: null })
    expect(signed).toMatchObject({ credential: '' })
  })

  it('keeps the attributes as null once they are erased', () => {
    expect(evolve({ ...offered, attributes: null })).toMatchObject({ attributes: null })
  })

  it.each<[string, CredentialEvent[]]>([
    ['a request without an offer', [requested]],
    ['a second offer', [offered, offered]],
    ['a signature before the request', [offered, { type: 'CredentialSigned', atMs: 2, credential: '' }]],
    ['a change that comes from another state', [offered, requested, requested]],
    ['a delivered problem where there is none', [offered, { type: 'CredentialProblemDelivered', atMs: 2 }]],
  ])('refuses %s as impossible', (_name, events) => {
    expect(() => evolve(...events)).toThrow(/is impossible in/)
  })
})
