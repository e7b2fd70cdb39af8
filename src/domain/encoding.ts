/** SHA-256 of the text's UTF-8 bytes; comes in from outside, because nothing here reaches for cryptography. */
export type Sha256 = (text: string) => Uint8Array

const WHOLE_NUMBER = /^-?\d+$/
const INT32_MIN = -(2 ** 31)
const INT32_MAX = 2 ** 31 - 1

/**
 * The integer that AnonCreds signs for an attribute's text, in decimal: a whole number in 32-bit range stands for
 * itself (so predicates can compare it), everything else for its hash. Wallets and libraries agree on this to the
 * letter: `05` is 5 and `-0` is 0, but `+5`, ` 5` and `5.0` are texts.
 */
export const encodeAttribute = (raw: string, sha256: Sha256): string => comparable(raw) ?? hashed(raw, sha256)

const comparable = (raw: string): string | null => {
  if (!WHOLE_NUMBER.test(raw)) return null
  const value = Number(raw)
  // The sum turns -0 into 0.
  return value >= INT32_MIN && value <= INT32_MAX ? String(value + 0) : null
}

const hashed = (raw: string, sha256: Sha256): string => {
  const hex = Array.from(sha256(raw), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return BigInt(`0x${hex}`).toString()
}
