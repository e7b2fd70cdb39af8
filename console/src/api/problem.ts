import type { ErrorCode } from './generated/operations.ts'

/** Why something was not done; `no_answer`: the service may have done it or not. */
export type Problem = {
  readonly status: number
  readonly error: ErrorCode | 'no_answer'
  /** One sentence that says what to change. */
  readonly reason: string
  readonly retryAfterSeconds: number | null
}

export type Answer<Body> =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly problem: Problem }
