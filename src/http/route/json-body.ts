import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { limits } from '../../domain/limits.ts'
import { type Problem, problem } from './problem.ts'
import type { LongText } from './route.ts'
import { type ScanFlaw, scanJson } from './json-scan.ts'
import { type Validate, malformedTextIn, mayHoldMalformedText } from './validation.ts'

export type JsonBody = {
  readonly value: unknown
  /** The long text as it was sent, with its escapes, where the body has one: in `value` it is empty then. */
  readonly longText: Uint8Array | null
}

type Invalid = Problem<'invalid_request' | 'payload_too_large'>

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Stands where the long text was while the rest is read. No caller can guess it, so it is never a text of theirs. */
const STAND_IN = randomBytes(96).toString('base64url')

/** Reads a body of JSON; its long text is neither decoded nor looked into. */
export const readJson = (bytes: Uint8Array, check: Validate, long: LongText | null): JsonBody | Invalid => {
  const { flaw, longText } = scanJson(bytes, long?.path ?? null)
  if (flaw !== null) return flawed(flaw, long)
  const cut = longText === null ? null : bytes.subarray(longText.start, longText.end)
  if (cut !== null && !isUtf8(cut)) return notJson()
  const short = longText === null ? bytes : withStandIn(bytes, longText)
  let value: unknown
  let malformed: string | null = null
  try {
    const text = decoder.decode(short)
    value = JSON.parse(text)
    if (mayHoldMalformedText(text)) malformed = malformedTextIn(value, 'the body')
  } catch {
    return notJson()
  }
  const reason = malformed ?? check(value)
  if (reason !== null) return problem('invalid_request', `${reason}.`)
  // A property that comes twice counts as it came last, which may be without the long text.
  if (cut === null || long === null || !empty(value, long.path)) return { value, longText: null }
  if (cut.byteLength <= long.charactersMax || characters(cut) <= long.charactersMax)
    return { value, longText: cut }
  return problem(
    'invalid_request',
    `${long.path.join('.')} must have at most ${long.charactersMax} characters.`,
  )
}

const notJson = (): Invalid => problem('invalid_request', 'The body is not valid JSON in UTF-8.')

const flawed = (flaw: ScanFlaw, long: LongText | null): Invalid => {
  if (flaw === 'too_large') {
    const reason = `Beside ${long?.path.join('.') ?? ''} the body may have ${limits.bodyBytesMax} bytes.`
    return problem('payload_too_large', reason)
  }
  const most: Record<typeof flaw, string> = {
    too_many_properties: `${limits.bodyPropertiesMax} properties`,
    too_many_entries: `${limits.bodyEntriesMax} entries in its lists`,
    too_deep: `${limits.bodyDepthMax} objects and lists inside each other`,
  }
  return problem('invalid_request', `the body must have at most ${most[flaw]}.`)
}

const withStandIn = (bytes: Uint8Array, { start, end }: { start: number; end: number }): Uint8Array =>
  Buffer.concat([bytes.subarray(0, start), Buffer.from(STAND_IN), bytes.subarray(end)])

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

/** Characters of a JSON text as it is sent. Only a text with more bytes than it may have characters is counted. */
const characters = (text: Uint8Array): number => {
  let count = 0
  for (let at = 0; at < text.byteLength; at += 1) {
    const byte = text[at] ?? 0
    if (byte === BACKSLASH) {
      const isCode = text[at + 1] === LETTER_U
      if (!isCode || !isSecondHalf(text, at + 2)) count += 1
      at += isCode ? 5 : 1
      // In UTF-8 all bytes of a character but its first begin with the bits 10.
    } else if ((byte & 0xc0) !== 0x80) count += 1
  }
  return count
}

/** Whether the four digits of an escape are the second half of a character, which counts with the first. */
const isSecondHalf = (text: Uint8Array, at: number): boolean =>
  /^d[c-f]/i.test(String.fromCharCode(text[at] ?? 0, text[at + 1] ?? 0))
