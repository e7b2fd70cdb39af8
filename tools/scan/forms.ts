import { encodeValue } from '../../src/anoncreds/encoding.ts'
import { fold } from '../../src/domain/case-folded.ts'

/** A text by its name, so that a failure says which one was found without showing it. */
export type Canaries = ReadonlyMap<string, string>

/** Shorter texts stand in any large file by chance. */
const CHARACTERS_MIN = 8
const PLAIN = /^[ -~]*$/
const LONG_NUMBER = /^\d{20,}$/

/**
 * The encodings that a text may stand in: as it is (for plain letters Latin-1 as well), folded as lists keep it, UTF-16 of either order, hex of
 * either case, base64 and base64url at each of the three offsets, escaped letter by letter (as in JSON and in a URL),
 * and as the number that AnonCreds signs in its place. A long number is also looked for as bytes.
 */
export const encodings = {
  'utf-8': (text) =>
    [...new Set([text, fold(text), JSON.stringify(text).slice(1, -1)])].map((form) => Buffer.from(form)),
  // Without its last byte, and so for plain letters the same in both orders.
  'utf-16': (text) => {
    const bytes = Buffer.from(text, 'utf16le')
    return PLAIN.test(text) ? [bytes.subarray(0, -1)] : [bytes, Buffer.from(bytes).swap16()]
  },
  hex: (text) => bothCases(Buffer.from(text).toString('hex')),
  base64: (text) => [0, 1, 2].flatMap((offset) => base64At(offset, Buffer.from(text))),
  escaped: (text) => [
    ...bothCases(
      Array.from({ length: text.length }, (_, at) => hexOf(text.charCodeAt(at), 4)).join(''),
      '\\u',
      4,
    ),
    ...bothCases(Buffer.from(text).toString('hex'), '%', 2),
    ...(encodeURIComponent(text) === text ? [] : [Buffer.from(encodeURIComponent(text))]),
  ],
  number: (text) => {
    if (!LONG_NUMBER.test(text)) return [Buffer.from(encodeValue(text))]
    const hex = BigInt(text).toString(16)
    const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
    return [bytes, Buffer.from(bytes.toReversed()), ...bothCases(hex)]
  },
} satisfies Readonly<Record<string, (text: string) => readonly Buffer[]>>

export type Encoding = keyof typeof encodings

/** Each encoding with the bytes to look for. */
export const formsOf = (text: string): readonly (readonly [Encoding, readonly Buffer[]])[] => {
  if (text.length < CHARACTERS_MIN) throw new RangeError(`a canary has at least ${CHARACTERS_MIN} characters`)
  return (Object.keys(encodings) as Encoding[]).map((encoding) => [
    encoding,
    encodings[encoding](text).filter((form) => form.length >= CHARACTERS_MIN),
  ])
}

const hexOf = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** The hex digits in groups, each with the mark before it. */
const bothCases = (hex: string, mark = '', groupLength = hex.length): readonly Buffer[] =>
  [hex.toLowerCase(), hex.toUpperCase()].map((digits) => {
    const groups = digits.match(new RegExp(`.{1,${groupLength}}`, 'g')) ?? []
    return Buffer.from(groups.map((group) => mark + group).join(''))
  })

/** Inside a longer text the letters depend on where the text begins; those that its neighbours share are left out. */
const base64At = (offset: number, bytes: Buffer): readonly Buffer[] => {
  const padded = Buffer.concat([Buffer.alloc(offset), bytes])
  const whole = padded.subarray(0, padded.length - (padded.length % 3)).toString('base64')
  const text = offset === 0 ? whole : whole.slice(4)
  return [text, text.replaceAll('+', '-').replaceAll('/', '_')].map((form) => Buffer.from(form))
}
