import { describe, expect, it } from 'vitest'
import { type CredentialTypes, credentialDecider } from '../../../src/actors/credential/rules.ts'
import type { CredentialEvent } from '../../../src/actors/credential/state.ts'

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
  prefix: 'https://didcomm.org/',
  request: { id: 'r', hash: 'h' },
  format: 'anoncreds',
  ...about,
  change: { state: 'request-received', previousState: 'offer-sent', sequence: 2 },
}
const credential = { id: 'c', hash: 'h' }
const signed: CredentialEvent = { type: 'CredentialSigned', atMs: 3, credential }
const delivered: CredentialEvent = {
  type: 'CredentialDelivered',
  atMs: 4,
  ...about,
  change: { state: 'credential-issued', previousState: 'request-received', sequence: 3 },
}
const acknowledged: CredentialEvent = {
  type: 'CredentialAcknowledged',
  atMs: 5,
  ...about,
  change: { state: 'done', previousState: 'credential-issued', sequence: 4 },
}
const evolve = (...events: CredentialEvent[]): CredentialTypes['state'] =>
  events.reduce(credentialDecider.evolve, credentialDecider.initialState)

describe('the state of a credential exchange', () => {
  it('drops the request with the signature', () => {
    expect(evolve(offered, requested, signed)).toMatchObject({ request: null, credential })
  })

  it('names the credential until the holder has acknowledged it', () => {
    const issued = evolve(offered, requested, signed, delivered)
    expect(issued).toMatchObject({ status: 'credential-issued', credential })
    expect(evolve(offered, requested, signed, delivered, acknowledged)).not.toHaveProperty('credential')
  })

  it('keeps the attributes as null once they are erased', () => {
    expect(evolve({ ...offered, attributes: null })).toMatchObject({ attributes: null })
  })

  it.each<[string, CredentialEvent[]]>([
    ['a request without an offer', [requested]],
    ['a second offer', [offered, offered]],
    ['a signature before the request', [offered, signed]],
    ['a change that comes from another state', [offered, requested, requested]],
    ['a last word of an exchange that is not over', [offered, { type: 'LastWordDelivered', atMs: 2 }]],
  ])('refuses %s as impossible', (_name, events) => {
    expect(() => evolve(...events)).toThrow(/is impossible in/)
  })
})
