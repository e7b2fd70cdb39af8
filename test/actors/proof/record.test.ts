import { describe, expect, it } from 'vitest'
import { proofSchema, proofView } from '../../../src/actors/proof/record.ts'
import { compileSchema } from '../../../src/http/route/validation.ts'
import { exchangeFacts } from '../../http/routes/call-route.ts'

const facts = { ...exchangeFacts, proofTemplateId: 'p', request: '{}' }

describe('a proof exchange as callers see it', () => {
  it.each([
    [null, { ...facts, status: 'request-sent', delivered: true } as const],
    [
      true,
      { ...facts, status: 'done', verified: true, disclosed: { g: { a: 'b' } }, ackOwed: false } as const,
    ],
    [false, { ...facts, status: 'done', verified: false, disclosed: null, ackOwed: false } as const],
  ])('says verified %j', (verified, record) => {
    const view = proofView('x', record)
    expect(compileSchema(proofSchema, 'it')(view)).toBeNull()
    expect([view.verified, view.disclosed]).toEqual([verified, verified === true ? { g: { a: 'b' } } : null])
  })
})
