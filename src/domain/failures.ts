/**
 * Why an exchange or a handshake came to no good end, for counting: a word of this list says nothing personal, so it
 * outlives an erasure, which `errorMessage` does not.
 */
export const failureCodes = [
  'declined_by_holder',
  'proposed_something_else',
  'reported_by_wallet',
  'no_answer',
  'not_delivered',
  'not_acknowledged',
  'signing_refused',
  'not_verified',
  'verification_failed',
  'face_check_not_passed',
  'face_check_refused',
  'cancelled',
  'closed_by_holder',
  'erased',
  'gave_way',
  'unreachable',
] as const

export type FailureCode = (typeof failureCodes)[number]

/** Events of before there were codes have none. */
export type Failed = { readonly failure?: FailureCode }
