import { isUtf8 } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { limits } from '../../domain/limits.ts'
import { problem, type Problem } from './problem.ts'
import type { LongText } from './route.ts'
import { malformedTextIn, mayHoldMalformedText, type Validate } from './validation.ts'

/** Where a text stands among the bytes of a JSON document, without its quotes. */
export type Span = { readonly start: number; readonly end: number }

export type ScanFlaw = 'too_large' | 'too_many_properties' | 'too_many_entries' | 'too_deep'

export type Scan = { readonly flaw: ScanFlaw | null; readonly longText: Span | null }

/** From this size on the one text that may be long is left in bytes; a body of as many bytes has none. */
export const LONG_TEXT_BYTES = 65_536

/** A body this short holds no more than any body may. */
const HARMLESS_BYTES = 4_096
const HARMLESS: Scan = { flaw: null, longText: null }

/**
 * Looks over the bytes of a JSON document before anything is made of them: how much it holds, and where the one text
 * stands that may be long. `path` names that text, object by object; beside it the document may be as large as any
 * body. What is wrong in other ways is found when the rest is parsed.
 */
export const scanJson = (
  bytes: Uint8Array,
  path: readonly string[] | null,
  propertiesMax: number = limits.bodyPropertiesMax,
): Scan => {
  if (bytes.byteLength <= HARMLESS_BYTES) return HARMLESS
  const json = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let [depth, properties, commas] = [0, 0, 0]
  /** How many steps of the path the last property names, together with the objects that it stands in. */
  let steps = 0
  let longText: Span | null = null
  // Properties have commas between them too.
  const commasMax = limits.bodyEntriesMax + propertiesMax
  let end = path === null ? json.length : Math.min(json.length, limits.bodyBytesMax)
  const flawed = (flaw: ScanFlaw): Scan => ({ flaw, longText: null })
  for (let at = 0; at < end; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) {
      const [start, close] = [at + 1, endOfText(json, at + 1)]
      const colon = afterSpace(json, close + 1)
      at = close
      if (json[colon] === COLON) {
        at = colon
        properties += 1
        if (properties > propertiesMax) return flawed('too_many_properties')
        if (path !== null && depth <= path.length && steps >= depth - 1)
          steps = spells(json, start, close, path[depth - 1]) ? depth : depth - 1
      } else if (depth === path?.length && steps === depth && longText === null) {
        if (close - start <= LONG_TEXT_BYTES) continue
        longText = { start, end: close }
        end = Math.min(json.length, limits.bodyBytesMax + close - start)
      }
    } else if (byte === OBJECT || byte === LIST) {
      depth += 1
      if (depth > limits.bodyDepthMax) return flawed('too_deep')
    } else if (byte === OBJECT_END || byte === LIST_END) {
      depth -= 1
    } else if (byte === COMMA) {
      commas += 1
      if (commas > commasMax) return flawed('too_many_entries')
    }
  }
  return end < json.length ? flawed('too_large') : { flaw: null, longText }
}

/** The bytes with something else in place of the text. */
export const without = (bytes: Uint8Array, { start, end }: Span, instead = ''): Uint8Array =>
  Buffer.concat([bytes.subarray(0, start), Buffer.from(instead), bytes.subarray(end)])

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const [OBJECT, OBJECT_END, LIST, LIST_END] = [0x7b, 0x7d, 0x5b, 0x5d]

/** So far byte by byte: for most texts that is cheaper than a search. */
const NEAR_BYTES = 64

/** Where the text ends that begins at `start`: at its closing quote, or at the end of everything. */
const endOfText = (json: Buffer, start: number): number => {
  const near = passText(json, start, start + NEAR_BYTES)
  if (near >= json.length || json[near] === QUOTE) return Math.min(near, json.length)
  const quote = json.indexOf(QUOTE, near)
  if (quote === -1) return json.length
  let before = quote - 1
  while (before >= near && json[before] === BACKSLASH) before -= 1
  // A search for every quote of a text that is full of them, all escaped, would take longer than reading it.
  return (quote - before) % 2 === 1 ? quote : Math.min(passText(json, near, json.length), json.length)
}

/** The place of the closing quote; where it lies behind `stop`, a place up to which nothing is half read. */
const passText = (json: Buffer, start: number, stop: number): number => {
  const last = Math.min(stop, json.length)
  let at = start
  while (at < last && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

const afterSpace = (json: Buffer, from: number): number => {
  let at = from
  while (json[at] === 0x20 || json[at] === 0x0a || json[at] === 0x0d || json[at] === 0x09) at += 1
  return at
}

/** Whether the text is this name, also where some of its characters are escaped: an escape has six bytes at most. */
const spells = (json: Buffer, start: number, end: number, name = ''): boolean => {
  if (end - start > 6 * name.length) return false
  const written = json.toString('latin1', start, end)
  if (written === name || !written.includes('\\')) return written === name
  try {
    return JSON.parse(`"${written}"`) === name
  } catch {
    return false
  }
}

export type JsonBody = {
  readonly value: unknown
  /** The long text as it was sent, with its escapes, where the body has one: in `value` it is empty then. */
  readonly longText: Uint8Array | null
}

/** The long text without its escapes. What is wrong with them stays as it is, for whoever looks at the text. */
export const readLongText = (longText: Uint8Array): string => {
  const text = Buffer.from(longText.buffer, longText.byteOffset, longText.byteLength).toString()
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return text
  }
}

/** How the body of a route is read. */
export type BodyRules = {
  readonly check: Validate
  readonly longText: LongText | null
  /** Of all its objects together; left out: as many as in any body. */
  readonly propertiesMax?: number
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Stands where the long text was while the rest is read. No caller can guess it, so it is never a text of theirs. */
const STAND_IN = randomBytes(96).toString('base64url')

/** Reads a body of JSON; its long text is neither decoded nor looked into. */
export const readJson = (bytes: Uint8Array, rules: BodyRules): JsonBody | Problem => {
  const { check, longText: long, propertiesMax = limits.bodyPropertiesMax } = rules
  const { flaw, longText } = scanJson(bytes, long?.path ?? null, propertiesMax)
  if (flaw !== null) return flawed(flaw, long, propertiesMax)
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

const flawed = (flaw: ScanFlaw, long: LongText | null, propertiesMax: number): Problem => {
  if (flaw === 'too_large') {
    const reason = `Beside ${long?.path.join('.') ?? ''} the body may have ${limits.bodyBytesMax} bytes.`
    return problem('payload_too_large', reason)
  }
  const most: Record<typeof flaw, string> = {
    too_many_properties: `${propertiesMax} properties`,
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

const LETTER_U = 0x75

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
