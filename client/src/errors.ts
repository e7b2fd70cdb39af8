import type { ErrorCode } from './generated/api.ts'

export type ApiErrorFacts = {
  readonly status: number
  readonly error: string
  readonly reason: string
  readonly requestId: string | null
  readonly attempts: number
}

/** The service has answered, and the answer is no. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The code, for programs. A later version of the API may know more than this one. */
  readonly error: ErrorCode | (string & {})
  /** One sentence that says what to change. */
  readonly reason: string
  /** To be quoted to the operators of the service. */
  readonly requestId: string | null
  /** How often the request was sent. */
  readonly attempts: number

  constructor({ status, error, reason, requestId, attempts }: ApiErrorFacts) {
    super(`${status} ${error}: ${reason}`)
    this.status = status
    this.error = error
    this.reason = reason
    this.requestId = requestId
    this.attempts = attempts
  }
}

/** No answer came, however often the request was sent. Whether it had its effect is not known: send it again with its key. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  readonly attempts: number
  readonly idempotencyKey: string | null

  constructor(facts: {
    readonly attempts: number
    readonly idempotencyKey: string | null
    readonly cause: unknown
  }) {
    super(`no answer from the service after ${facts.attempts} attempts`, { cause: facts.cause })
    this.attempts = facts.attempts
    this.idempotencyKey = facts.idempotencyKey
  }
}
