/**
 * REQNACK: the request is malformed or its signatures do not fit. REJECT: it is well-formed, but the rules forbid it.
 */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest'
  readonly op: 'REQNACK' | 'REJECT'
  constructor(op: 'REQNACK' | 'REJECT', reason: string) {
    super(reason)
    this.op = op
  }
}

export const malformed = (reason: string): RefusedRequest =>
  new RefusedRequest('REQNACK', `client request invalid: InvalidClientRequest(${reason})`)

export const forbidden = (reason: string): RefusedRequest =>
  new RefusedRequest('REJECT', `client request invalid: UnauthorizedClientRequest(${reason})`)

/** What an Indy node says of a write that does not carry the acceptance of the agreement in force. */
export const notAccepted = (reason: string): RefusedRequest =>
  new RefusedRequest('REJECT', `client request invalid: InvalidClientTaaAcceptanceError(${reason})`)
