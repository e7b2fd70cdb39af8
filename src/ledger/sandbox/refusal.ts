/** REQNACK: the request is malformed or not signed by whom it says. REJECT: well-formed, but the rules forbid it. */
export class Refusal extends Error {
  readonly op: 'REQNACK' | 'REJECT'
  constructor(op: 'REQNACK' | 'REJECT', reason: string) {
    super(reason)
    this.name = 'Refusal'
    this.op = op
  }
}

export const malformed = (reason: string): Refusal =>
  new Refusal('REQNACK', `client request invalid: InvalidClientRequest(${reason})`)

export const forbidden = (reason: string): Refusal =>
  new Refusal('REJECT', `client request invalid: UnauthorizedClientRequest(${reason})`)
