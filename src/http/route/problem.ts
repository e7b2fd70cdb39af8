import type { Code } from '../../domain/codes.ts'
import { limits } from '../../domain/limits.ts'
import type { Refused } from '../../domain/decider.ts'
import type { Refusal, Reply } from '../server/server.ts'

/** The only place that knows HTTP statuses of error codes; total, so that a new code can't be forgotten here. */
export const statusOf: Record<Code, number> = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  step_up_required: 403,
  not_found: 404,
  connection_not_found: 404,
  credential_definition_not_found: 404,
  proof_template_not_found: 404,
  method_not_allowed: 405,
  idempotency_in_progress: 409,
  wallet_revoked: 409,
  exchange_running: 409,
  exchange_over: 409,
  connection_not_ready: 409,
  credential_definition_not_published: 409,
  schema_not_published: 409,
  endorsement_decided: 409,
  agreement_outdated: 409,
  organisation_not_ready: 409,
  biometric_vendor_missing: 409,
  record_erased: 409,
  already_published: 409,
  organisation_being_deleted: 409,
  already_member: 409,
  has_administrator: 409,
  last_administrator: 409,
  members_too_many: 409,
  no_cluster: 409,
  plan_outdated: 409,
  move_not_possible: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_key_reused: 422,
  attributes_mismatch: 422,
  attributes_too_many: 422,
  attribute_name_too_long: 422,
  attribute_value_too_large: 422,
  attributes_too_large: 422,
  expires_at_required: 422,
  expires_at_invalid: 422,
  biometric_reference_required: 422,
  reference_image_invalid: 422,
  biometric_setup_invalid: 422,
  ledger_ceiling_reached: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  overloaded: 503,
  mailbox_full: 507,
}

/** A refusal as an answer: what a handler returns instead of a result. */
export type Problem<Known extends Code = Code> = {
  readonly problem: Known
  /** One plain sentence that says what to change. */
  readonly reason: string
  readonly headers: Readonly<Record<string, string>>
}

export const problem = <Known extends Code>(
  code: Known,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): Problem<Known> => ({ problem: code, reason, headers })

/** The answer to a refusal of the rules. A code that the route does not document is our mistake, not the caller's. */
export const refusal = <Known extends Code>(
  known: readonly Known[],
  { refused, reason }: Refused,
): Problem<Known> => {
  const code = known.find((each) => each === refused)
  if (code === undefined) throw new Error(`the route does not document ${refused}`)
  return problem(code, reason)
}

/** Whole seconds, rounded up, because a caller who obeys must never come too early. */
export const retryAfter = (ms: number): Record<string, string> => ({
  'Retry-After': String(Math.max(1, Math.ceil(ms / 1000))),
})

/** `nosniff` keeps browsers from taking an answer for anything but JSON. */
export const JSON_HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'Content-Type': 'application/json',
  'X-Content-Type-Options': 'nosniff',
})

export const problemReply = ({ problem: code, reason, headers }: Problem): Reply => ({
  status: statusOf[code],
  headers: { ...JSON_HEADERS, ...headers },
  body: JSON.stringify({ error: code, reason }),
})

const refusals: Record<Refusal, Problem> = {
  head_too_large: problem(
    'invalid_request',
    `The request line and the headers may have ${limits.headBytesMax} bytes together, and be ${limits.headersMax} headers.`,
  ),
  body_too_large: problem('payload_too_large', 'The body is larger than this route accepts.'),
  body_memory_full: problem(
    'overloaded',
    'Too many large requests are under way; try again.',
    retryAfter(1000),
  ),
  malformed: problem('invalid_request', 'The request is not proper HTTP.'),
}

/** `reason`: what exactly is wrong, as a sentence without its full stop. */
export const refusalReply = (wrong: Refusal, reason?: string): Reply => {
  const standing = refusals[wrong]
  const refused =
    reason === undefined ? standing : { ...standing, reason: `The request is refused: ${reason}.` }
  const reply = { ...problemReply(refused), close: true }
  // uWebSockets.js answers this one itself, with a status that cannot be changed.
  return wrong === 'head_too_large' ? { ...reply, status: 431 } : reply
}
