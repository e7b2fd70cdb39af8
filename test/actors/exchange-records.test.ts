import { describe, expect, it } from 'vitest'
import { firstAttempt } from '../../src/actors/connection/answer-attempts.ts'
import { connectionSchema, connectionView } from '../../src/actors/connection/record.ts'
import { credentialSchema, credentialView } from '../../src/actors/credential/record.ts'
import { proofSchema, proofView } from '../../src/actors/proof/record.ts'
import { compileSchema } from '../../src/http/route/validation.ts'

const facts = {
  tenant: 't1',
  connectionId: 'c1',
  invitationId: 'i1',
  externalId: null,
  threadId: 'th',
  createdAtMs: 0,
  updatedAtMs: 1_000,
  waitingSinceMs: 0,
  erasedAtMs: null,
  erasedBy: null,
  sequence: 1,
  steps: [],
  prefix: 'https://didcomm.org/',
} as const

describe('what callers see, in states that take a wallet', () => {
  it('of a connection has every field of its schema and no key', () => {
    const personal = { theirLabel: 'Phone', theirDid: 'd', theirService: null, ownSeed: 'seed', ownKey: 'k' }
    const handshake = { protocol: 'didexchange/1.1', attempts: firstAttempt } as const
    const record = {
      ...facts,
      ...personal,
      ...handshake,
      status: 'completed',
      errorMessage: null,
      closing: null,
    } as const
    const view = connectionView('x', record)
    expect(compileSchema(connectionSchema, 'it')(view)).toBeNull()
    expect(JSON.stringify(view)).not.toContain('seed')
  })

  it('of a credential has every field of its schema, with and without attributes', () => {
    const offer = { ...facts, definition: { catalogueId: 'd', ledgerId: 'l' }, nonce: '1' }
    for (const record of [
      { ...offer, attributes: { a: 'b' }, status: 'offer-sent', delivered: false } as const,
      { ...offer, attributes: null, status: 'abandoned', errorMessage: 'e', lastWord: null } as const,
    ]) {
      const view = credentialView('x', record)
      expect(compileSchema(credentialSchema, 'it')(view)).toBeNull()
      const { status: state, attributes } = record
      expect(view).toMatchObject({ state, attributes, credentialDefinitionId: 'd', biometric: null })
    }
  })

  it('of a proof shows what was disclosed when it holds alone', () => {
    const request = { ...facts, proofTemplateId: 'p', request: '{}' }
    for (const [verified, record] of [
      [null, { ...request, status: 'request-sent', delivered: true } as const],
      [true, { ...request, status: 'done', verified: true, disclosed: { g: { a: 'b' } }, lastWord: null }],
      [false, { ...request, status: 'done', verified: false, disclosed: null, lastWord: null }],
    ] as const) {
      const view = proofView('x', record)
      expect(compileSchema(proofSchema, 'it')(view)).toBeNull()
      expect([view.verified, view.disclosed]).toEqual([
        verified,
        verified === true ? { g: { a: 'b' } } : null,
      ])
    }
  })
})
