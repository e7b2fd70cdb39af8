import { describe, expect, it } from 'vitest'
import { forbidden, malformed, notAccepted } from '../../../src/ledger/sandbox/refused-request.ts'

describe('a refusal of the sandbox', () => {
  it('is told apart by Indy clients: malformed before it is processed, forbidden by the rules, without the agreement', () => {
    expect(malformed('x')).toMatchObject({
      op: 'REQNACK',
      message: 'client request invalid: InvalidClientRequest(x)',
    })
    expect(forbidden('x')).toMatchObject({
      op: 'REJECT',
      message: 'client request invalid: UnauthorizedClientRequest(x)',
    })
    expect(notAccepted('x')).toMatchObject({
      op: 'REJECT',
      message: 'client request invalid: InvalidClientTaaAcceptanceError(x)',
    })
  })
})
