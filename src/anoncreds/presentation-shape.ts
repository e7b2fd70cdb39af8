// Readers for the parts of presentations and requests that the strict checks look at. Their input comes from outside;
// each throws Malformed when the shape differs.

export class Malformed extends Error {}

export type Fields = Readonly<Record<string, unknown>>

export const fields = (value: unknown, what: string): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Malformed(`${what} is no object`)
  return value as Fields
}

export const list = (value: unknown, what: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw new Malformed(`${what} is no list`)
  return value as readonly unknown[]
}

export const text = (value: unknown, what: string): string => {
  if (typeof value !== 'string') throw new Malformed(`${what} is no text`)
  return value
}

export const wholeNumber = (value: unknown, what: string): number => {
  if (typeof value !== 'number' || !Number.isInteger(value)) throw new Malformed(`${what} is no whole number`)
  return value
}

/** Reads an optional map: for the library absent and empty mean the same. */
export const optionalFields = (value: unknown, what: string): Fields =>
  value === undefined ? {} : fields(value, what)

const CANONICAL = /^(?:0|-?[1-9]\d*)$/
const DIGITS_MAX = 1_000

/** Integers travel as decimal text; only one spelling of each is accepted. */
export const integer = (value: unknown, what: string): string => {
  const digits = text(value, what)
  if (digits.length > DIGITS_MAX || !CANONICAL.test(digits)) throw new Malformed(`${what} is no integer`)
  return digits
}

/** True for 0 <= integer < bound; both are canonical decimals. */
export const isBelow = (digits: string, bound: string): boolean =>
  !digits.startsWith('-') &&
  (digits.length < bound.length || (digits.length === bound.length && digits < bound))

export const powerOfTwo = (exponent: number): string => (1n << BigInt(exponent)).toString()

/** Big-endian bytes without leading zeros. */
export const bytesOf = (digits: string): Uint8Array => {
  const hex = BigInt(digits).toString(16)
  return digits === '0'
    ? new Uint8Array()
    : Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
}
