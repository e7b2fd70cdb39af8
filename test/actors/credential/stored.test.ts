import { expect, it } from 'vitest'
import { credentialStored } from '../../../src/actors/credential/stored.ts'
import { proofStored } from '../../../src/actors/proof/stored.ts'

it('events of before there were two formats are read as those of the one that there was', () => {
  const read = (text: string) => credentialStored.events.decode(text, null)
  expect(read('{"v":1,"d":{"type":"CredentialOfferDelivered","atMs":1}}')).toEqual({
    type: 'CredentialOfferDelivered',
    atMs: 1,
    otherAtMs: null,
  })
  const requested = {
    type: 'CredentialRequested',
    atMs: 2,
    change: { state: 'request-received', previousState: 'offer-sent', sequence: 2 },
    tenant: 'ten_1',
    connectionId: 'con_1',
    externalId: null,
    credentialDefinitionId: 'def_1',
    request: { id: 'r', hash: 'h' },
    prefix: 'https://didcomm.org/',
  }
  expect(read(JSON.stringify({ v: 1, d: requested }))).toEqual({ ...requested, format: 'anoncreds' })
  const asked = proofStored.events.decode('{"v":1,"d":{"type":"ProofRequestDelivered","atMs":1}}', null)
  expect(asked).toEqual({ type: 'ProofRequestDelivered', atMs: 1, otherAtMs: null })
})
