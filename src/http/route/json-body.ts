import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { limits } from '../../domain/limits.ts'
import { type Problem, problem } from './problem.ts'
import type { LongText } from './route.ts'
import { type ScanFlaw, scanJson, without } from './json-scan.ts'
import { malformedTextIn, mayHoldMalformedText, type Validate } from './validation.ts'

export type JsonBody = {
  readonly value: unknown
  /** The long text as it was sent, with its escapes, where the body has one: in `value` it is empty then. */
  readonly longText: Uint8Array | null
}

/** How the body of a route is read. */
export type BodyRules = { readonly check: Validate; readonly longText: LongText | null }

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Stands where the long text was while the rest is read. No caller can guess it, so it is never a text of theirs. */
const STAND_IN = randomBytes(96).toString('base64url')

/** Reads a body of JSON; its long text is neither decoded nor looked into. */
export const readJson = (bytes: Uint8Array, { check, longText: long }: BodyRules): JsonBody | Problem => {
  const { flaw, longText } = scanJson(bytes, long?.path ?? null)
  if (flaw !== null) return flawed(flaw, long)
  const cut = longText === null ? null : bytes.subarray(longText.start, longText.end)
  if (cut !== null && !isUtf8(cut)) return notJson()
  const short = longText === null ? bytes : without(bytes, longText, STAND_IN)
  let value: unknown
  let malformed: string | null = null
  try {
    const text = decoder.decode(short)
    value = JSON.parse(text)
    if (mayHoldMalformedText(text)) malformed = malformedTextIn(value, 'the body')
  } catch {
    return notJson()
  }
  const wrong = malformed ?? check(value)
  if (wrong !== null) return problem('invalid_request', `${wrong}.`)
  // A property that comes twice counts as it came last, which may be without the long text.
  if (cut === null || long === null || !empty(value, long.path)) return { value, longText: null }
  if (!isLonger(cut, long.charactersMax)) return { value, longText: cut }
  return problem(
    'invalid_request',
    `${long.path.join('.')} must have at most ${long.charactersMax} characters.`,
  )
}

const notJson = (): Problem => problem('invalid_request', 'The body is not valid JSON in UTF-8.')

const flawed = (flaw: ScanFlaw, long: LongText | null): Problem => {
  if (flaw === 'too_large') {
    const reason = `Beside ${long?.path.join('.') ?? ''} the body may have ${limits.bodyBytesMax} bytes.`
    return problem('payload_too_large', reason)
  }
  const most: Record<typeof flaw, string> = {
    too_many_properties: `${limits.bodyPropertiesMax} properties`,
    too_many_entries: `${limits.bodyEntriesMax} entries in its lists`,
    too_deep: `${limits.bodyDepthMax} objects and lists inside each other`,
  }
  return problem('invalid_request', `The body must have at most ${most[flaw]}.`)
}

/** Takes the stand-in out of the value again; false when it is not there. */
const empty = (value: unknown, path: readonly string[]): boolean => {
  const [name = '', ...further] = path
  const object = value as Record<string, unknown>
  if (further.length > 0) return Object.hasOwn(object, name) && empty(object[name] ?? {}, further)
  if (object[name] !== STAND_IN) return false
  object[name] = ''
  return true
}

const [BACKSLASH, LETTER_U] = [0x5c, 0x75]

/**
 * Whether a text as it is sent in JSON has more characters than that. Reads no further than it must: only as many bytes
 * as are too many have to belong to characters of several bytes, or to escapes.
 */
const isLonger = (text: Uint8Array, charactersMax: number): boolean => {
  let surplus = text.byteLength - charactersMax
  for (let at = 0; surplus > 0 && at < text.byteLength; at += 1) {
    const byte = text[at] as number
    if (byte === BACKSLASH) {
      const bytes = text[at + 1] === LETTER_U ? 6 : 2
      surplus -= bytes === 6 && isSecondHalf(text, at + 2) ? bytes : bytes - 1
      at += bytes - 1
      // In UTF-8 all bytes of a character but its first begin with the bits 10.
    } else if ((byte & 0xc0) === 0x80) surplus -= 1
  }
  return surplus > 0
}

/** Whether the four digits of an escape are the second half of a character, which counts with the first. */
const isSecondHalf = (text: Uint8Array, at: number): boolean =>
  /^d[c-f]/i.test(String.fromCharCode(text[at] ?? 0, text[at + 1] ?? 0))
