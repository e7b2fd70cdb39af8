/** The attribute that says until when a credential is accepted: seconds since 1970. */
const EXPIRES_AT = 'expiresAt'
const SECONDS = /^\d{1,10}$/

/** Null where the credential does not say so in a form that verifiers can compare. */
export const expiryOf = (attributes: Readonly<Record<string, string>>): Date | null => {
  const seconds = attributes[EXPIRES_AT] ?? ''
  return SECONDS.test(seconds) ? new Date(Number(seconds) * 1_000) : null
}

export const isExpired = (expiresAt: Date | null, nowMs: number): boolean =>
  expiresAt !== null && expiresAt.getTime() <= nowMs
