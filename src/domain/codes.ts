/**
 * Every error code a caller can meet. `retryable`: the same request may succeed later without being changed.
 * Closed: a new code is an entry here and one in the table that maps codes to HTTP statuses.
 */
export const codes = {
  invalid_request: { retryable: false },
  unauthorized: { retryable: false },
  forbidden: { retryable: false },
  not_found: { retryable: false },
  connection_not_found: { retryable: false },
  credential_definition_not_found: { retryable: false },
  proof_template_not_found: { retryable: false },
  method_not_allowed: { retryable: false },
  idempotency_in_progress: { retryable: true },
  wallet_revoked: { retryable: false },
  exchange_running: { retryable: false },
  connection_not_ready: { retryable: false },
  credential_definition_not_published: { retryable: false },
  organisation_not_ready: { retryable: false },
  record_erased: { retryable: false },
  already_published: { retryable: false },
  payload_too_large: { retryable: false },
  unsupported_media_type: { retryable: false },
  idempotency_key_reused: { retryable: false },
  attributes_mismatch: { retryable: false },
  attributes_too_many: { retryable: false },
  attribute_name_too_long: { retryable: false },
  attribute_value_too_large: { retryable: false },
  attributes_too_large: { retryable: false },
  expires_at_required: { retryable: false },
  expires_at_invalid: { retryable: false },
  biometric_reference_required: { retryable: false },
  reference_image_invalid: { retryable: false },
  ledger_ceiling_reached: { retryable: false },
  rate_limited: { retryable: true },
  internal: { retryable: true },
  unavailable: { retryable: true },
  overloaded: { retryable: true },
} as const satisfies Record<string, { readonly retryable: boolean }>

export type Code = keyof typeof codes
