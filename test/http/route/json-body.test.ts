import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { LONG_TEXT_BYTES, readJson, readLongText, type BodyRules } from '../../../src/http/route/json-body.ts'

const LONG = 'x'.repeat(LONG_TEXT_BYTES + 1)
const longText = { path: ['biometric', 'referenceImage'], charactersMax: 100_000 }
const rules: BodyRules = { check: () => null, longText }
const read = (json: string | Uint8Array, more: Partial<BodyRules> = {}) => {
  const body = readJson(Buffer.from(json), { ...rules, ...more })
  if ('problem' in body) return `${body.problem}: ${body.reason}`
  return { value: body.value, text: body.longText === null ? null : Buffer.from(body.longText).toString() }
}
const withImage = (image: string): string => `{"biometric":{"referenceImage":"${image}"},"a":1}`

describe('a body of JSON', () => {
  it('is read without its long text, which stays in bytes', () => {
    expect(read(withImage(LONG))).toEqual({ value: { biometric: { referenceImage: '' }, a: 1 }, text: LONG })
    expect(read(withImage('short'))).toEqual({
      value: { biometric: { referenceImage: 'short' }, a: 1 },
      text: null,
    })
  })

  it('is checked with something long in that place', () => {
    const seen: unknown[] = []
    const check = (value: unknown): null => {
      seen.push(structuredClone(value))
      return null
    }
    read(withImage(LONG), { check })
    const [{ biometric }] = seen as [{ biometric: { referenceImage: string } }]
    expect(biometric.referenceImage.length).toBeGreaterThanOrEqual(limits.referenceImageCharactersMin)
  })

  it('has no long text where a property of the same name comes after it', () => {
    const first = `"biometric":{"referenceImage":"${LONG}"}`
    for (const [json, biometric] of [
      [`{${first},"biometric":{"referenceImage":"short"}}`, { referenceImage: 'short' }],
      [`{${first},"biometric":null}`, null],
      [`{${first},"biometric":{}}`, {}],
      [`{"biometric":{"referenceImage":"${LONG}","referenceImage":7}}`, { referenceImage: 7 }],
    ] as const)
      expect(read(json)).toEqual({ value: { biometric }, text: null })
  })

  it('is refused where the rest is no JSON, and where the long text is no UTF-8', () => {
    const notJson = 'invalid_request: The body is not valid JSON in UTF-8.'
    expect(read(`{"biometric":{"referenceImage":"${LONG}"}`)).toBe(notJson)
    expect(read(`{"biometric":{"referenceImage":"${LONG}`)).toBe(notJson)
    expect(read(`["biometric":{"referenceImage":"${LONG}"}]`)).toBe(notJson)
    expect(read(Buffer.from(withImage(`${LONG}ÿ`), 'latin1'))).toBe(notJson)
    expect(read(Buffer.from(`{"a":"ÿ"}`, 'latin1'))).toBe(notJson)
  })

  it('has a long text that is read without its escapes when it is asked for', () => {
    const unescaped = (sent: string): string => readLongText(Buffer.from(sent))
    expect(unescaped('/9j/4A+b==')).toBe('/9j/4A+b==')
    expect(unescaped('\\/9j\\/4A\\u002bb==')).toBe('/9j/4A+b==')
    expect(unescaped('half \\u00 an escape')).toBe('half \\u00 an escape')
  })

  it('counts the characters of its long text as JSON means them', () => {
    const { charactersMax } = longText
    for (const character of [
      'x',
      'ä',
      '😀',
      '\\/',
      '\\u00e4',
      '\\ud83d\\ude00',
      '\\uD83D\\uDE00',
      '\\\\',
      '\\"',
    ]) {
      const text = character.repeat(3).padEnd(charactersMax - 3 + 3 * character.length, 'x')
      expect(read(withImage(text)), character).toMatchObject({ text })
      expect(read(withImage(`${text}y`)), character).toBe(
        'invalid_request: biometric.referenceImage must have at most 100000 characters.',
      )
    }
  })

  it('says what it has too much of', () => {
    const properties = Array.from({ length: 700_000 }, (_, index) => `"${index}":""`).join(',')
    expect(read(`{${properties}}`)).toBe('invalid_request: The body must have at most 1000 properties.')
    expect(read('[0'.padEnd(20_000, ',0'))).toBe(
      'invalid_request: The body must have at most 5000 entries in its lists.',
    )
    expect(read('['.repeat(5_000))).toContain('64 objects and lists inside each other')
    expect(read(`{"a":"${'x'.repeat(limits.bodyBytesMax)}"}`)).toBe(
      'payload_too_large: Beside biometric.referenceImage the body may have 262144 bytes.',
    )
  })
})
