/** SHA-256 of the text's UTF-8 bytes; comes in from outside, because nothing here reaches for cryptography. */
export type Sha256 = (text: string) => Uint8Array

const WHOLE_NUMBER = /^-?\d+$/
const INT32_MIN = -(2 ** 31)
const INT32_MAX = 2 ** 31 - 1

/**
 * The integer that AnonCreds signs for an attribute's text, in decimal: a whole number in 32-bit range stands for
 * itself (so predicates can compare it), everything else for its hash. `05` is 5 and `-0` is 0; ` 5` and `5.0` are
 * texts. Wallets and libraries agree on this but for one form, which is never offered (`isReadTwoWays`).
 */
export const encodeAttribute = (raw: string, sha256: Sha256): string => comparable(raw) ?? hashed(raw, sha256)

/**
 * Whether wallets disagree about a text: `+5` is a text for one library and the number 5 for another, so a wallet
 * that stores with the other one cannot keep what was signed as a text. Beyond 32 bits both take it for a text.
 */
export const isReadTwoWays = (raw: string): boolean =>
  /^\+\d+$/.test(raw) && comparable(raw.slice(1)) !== null

/** Whole numbers from 1 to `max`, without sign and leading zeros, as a pattern: fewer digits, or less at one of them. */
const countsUpTo = (max: number): string => {
  const digits = String(max)
  const less = Array.from(digits, (digit, at) => {
    const least = at === 0 ? 1 : 0
    return `${digits.slice(0, at)}[${least}-${Number(digit) - 1}][0-9]{${digits.length - at - 1}}`
  })
  return `(?:[1-9][0-9]{0,${digits.length - 2}}|${less.join('|')}|${digits})`
}

/** For the description, where a pattern has to say it, without what only some engines of patterns know. */
export const COUNT_PATTERN = `^${countsUpTo(INT32_MAX)}$`
/** The texts of which `isReadTwoWays` holds. */
export const READ_TWO_WAYS_PATTERN = String.raw`^\+(?:0+|0*${countsUpTo(INT32_MAX)})$`

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
