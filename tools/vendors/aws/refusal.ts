/** Why AWS does not do what it was asked for, before it has the form of one of its protocols. */
export class Refusal {
  readonly code: string
  readonly message: string
  readonly status: number

  constructor(code: string, message: string, status = 400) {
    this.code = code
    this.message = message
    this.status = status
  }
}

export const isRefusal = (value: unknown): value is Refusal => value instanceof Refusal
