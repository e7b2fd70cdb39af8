import type { Code } from './codes.ts'
import { limits } from './limits.ts'

export type AttributeProblem = { readonly code: Code; readonly reason: string }

export type OfferedAttributes = {
  readonly attributes: Readonly<Record<string, string>>
  /** The attributes of the schema behind the credential definition. */
  readonly schemaAttributes: readonly string[]
  readonly nowMs: number
}

export const EXPIRES_AT = 'expiresAt'

/** What is wrong with the attributes of an offer, or null. Names may appear in the reason, values never. */
export const attributeProblem = (offered: OfferedAttributes): AttributeProblem | null =>
  typeProblem(offered.attributes) ??
  sizeProblem(offered.attributes) ??
  textProblem(offered.attributes) ??
  nameProblem(offered) ??
  expiryProblem(offered) ??
  plusProblem(offered.attributes)

/** The schema of the body reads names with `.`, which passes over those with an end of a line, whatever they hold. */
const typeProblem = (attributes: Readonly<Record<string, unknown>>): AttributeProblem | null => {
  const found = Object.entries(attributes).find(([, value]) => typeof value !== 'string')
  if (!found) return null
  return { code: 'invalid_request', reason: `attributes: the value of ${shown(found[0])} must be a string.` }
}

const sizeProblem = (attributes: OfferedAttributes['attributes']): AttributeProblem | null => {
  const entries = Object.entries(attributes)
  if (entries.length > limits.attributesMax) {
    const reason = `${entries.length} attributes are too many: an offer may have ${limits.attributesMax}.`
    return { code: 'attributes_too_many', reason }
  }
  let bytes = 0
  for (const [name, value] of entries) {
    if (characters(name) > limits.attributeNameCharactersMax) {
      const reason = `The attribute name ${shown(name)} is longer than ${limits.attributeNameCharactersMax} characters.`
      return { code: 'attribute_name_too_long', reason }
    }
    const valueBytes = utf8Bytes(value)
    if (valueBytes > limits.attributeValueBytesMax) {
      const reason = `The value of ${shown(name)} has ${valueBytes} bytes: it may have ${limits.attributeValueBytesMax}.`
      return { code: 'attribute_value_too_large', reason }
    }
    bytes += utf8Bytes(name) + valueBytes
  }
  if (bytes <= limits.attributesBytesMax) return null
  const reason = `Names and values have ${bytes} bytes together: they may have ${limits.attributesBytesMax}.`
  return { code: 'attributes_too_large', reason }
}

/** Libraries in C end a text at NUL: what the holder sees would not be what was signed. */
const textProblem = (attributes: OfferedAttributes['attributes']): AttributeProblem | null => {
  const isWhole = (text: string): boolean => !text.includes('\0') && text.isWellFormed()
  const found = Object.entries(attributes).find(([name, value]) => !isWhole(name) || !isWhole(value))
  if (!found) return null
  const reason = `attributes: name or value of ${shown(found[0])} has a NUL or half a character, which cannot be signed.`
  return { code: 'invalid_request', reason }
}

const nameProblem = ({ attributes, schemaAttributes }: OfferedAttributes): AttributeProblem | null => {
  if (!Object.hasOwn(attributes, EXPIRES_AT)) {
    const reason = `The attribute ${EXPIRES_AT} is required: Unix seconds as text, at which the credential ends.`
    return { code: 'expires_at_required', reason }
  }
  const missing = schemaAttributes.filter((name) => !Object.hasOwn(attributes, name))
  const known = new Set(schemaAttributes)
  const unknown = Object.keys(attributes).filter((name) => !known.has(name))
  if (missing.length === 0 && unknown.length === 0) return null
  const parts = [
    ...(missing.length > 0 ? [`missing: ${listed(missing)}`] : []),
    ...(unknown.length > 0 ? [`not in the schema: ${listed(unknown)}`] : []),
  ]
  return {
    code: 'attributes_mismatch',
    reason: `The attributes differ from the schema (${parts.join('; ')}).`,
  }
}

/** Without sign and leading zeros, so that every wallet reads the number that the verifier compares. */
const UNIX_SECONDS = /^[1-9]\d{0,9}$/

const expiryProblem = ({ attributes, nowMs }: OfferedAttributes): AttributeProblem | null => {
  const text = attributes[EXPIRES_AT] ?? ''
  const seconds = UNIX_SECONDS.test(text) ? Number(text) : Number.NaN
  if (seconds * 1_000 > nowMs && seconds <= limits.expiresAtSecondsMax) return null
  const reason = `${EXPIRES_AT} must be Unix seconds as text, in the future and at most ${limits.expiresAtSecondsMax}.`
  return { code: 'expires_at_invalid', reason }
}

/** A wallet that stores it as a number refuses the credential, so the holder would never have it. */
const plusProblem = (attributes: OfferedAttributes['attributes']): AttributeProblem | null => {
  const found = Object.entries(attributes).find(([, value]) => isReadTwoWays(value))
  if (!found) return null
  const reason = `attributes: the value of ${shown(found[0])} is a plus sign and a number, which some wallets take for a number and others for a text: leave the plus sign out, or put a space after it.`
  return { code: 'invalid_request', reason }
}

const NAMES_LISTED_MAX = 10

/** A reason must not grow with its input. */
const listed = (names: readonly string[]): string => {
  const more = names.length - NAMES_LISTED_MAX
  const first = names.slice(0, NAMES_LISTED_MAX).map(shown).join(', ')
  return more > 0 ? `${first} and ${more} more` : first
}

const shown = (name: string): string =>
  JSON.stringify(
    characters(name) > limits.attributeNameCharactersMax ? `${name.slice(0, 40).toWellFormed()}…` : name,
  )

/** Unicode characters, not the halves of a surrogate pair. */
const characters = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

const utf8Bytes = (text: string): number => {
  let bytes = 0
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
  }
  return bytes
}

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
