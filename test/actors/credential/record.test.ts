import { describe, expect, it } from 'vitest'
import { credentialSchema, credentialView } from '../../../src/actors/credential/record.ts'
import { compileSchema } from '../../../src/http/route/validation.ts'
import { exchangeFacts } from '../../http/routes/call-route.ts'

const facts = { ...exchangeFacts, definition: { catalogueId: 'd', ledgerId: 'l' }, nonce: '1' }

describe('a credential exchange as callers see it', () => {
  it.each([
    { ...facts, attributes: { a: 'b' }, status: 'offer-sent', delivered: false } as const,
    { ...facts, attributes: null, status: 'abandoned', errorMessage: 'e', problem: null } as const,
  ])('has every field of its schema: %j', (record) => {
    const view = credentialView('x', record)
    expect(compileSchema(credentialSchema, 'it')(view)).toBeNull()
    expect(view).toMatchObject({
      state: record.status,
      attributes: record.attributes,
      credentialDefinitionId: 'd',
    })
  })
})
