import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import { LONG_TEXT_BYTES, scanJson, without } from '../../../src/http/route/json-body.ts'

const PATH = ['biometric', 'referenceImage']
const LONG = 'x'.repeat(LONG_TEXT_BYTES + 1)
/** More than is harmless by its size. */
const FILLED = ' '.repeat(5_000)
const bytes = (json: string): Buffer => Buffer.from(json)
const cutOf = (json: string, path: readonly string[] | null = PATH): string | null => {
  const { flaw, longText } = scanJson(bytes(json), path)
  expect(flaw).toBeNull()
  return longText === null ? null : bytes(json).toString('utf8', longText.start, longText.end)
}
const flawOf = (json: string, path: readonly string[] | null = null) => scanJson(bytes(json), path).flaw

/** A character of a name or of a text, in one of the ways in which JSON may write it. */
const writtenAs = (character: string, how: number): string =>
  how % 3 === 0 && character !== '"' && character !== '\\' && character >= ' '
    ? character
    : [...Array(character.length).keys()]
        .map((at) => character.charCodeAt(at).toString(16).padStart(4, '0'))
        .map((code) => `\\u${how % 2 === 0 ? code : code.toUpperCase()}`)
        .join('')
const written = (text: string, hows: readonly number[]): string =>
  `"${Array.from(text)
    .map((each, index) => writtenAs(each, hows[index % hows.length] ?? 0))
    .join('')}"`

/** What a scan looks at, and two more. */
const SIGNS = Array.from('{}[]:,"\\ 1')

describe('the one text that may be long', () => {
  it('is found in its place, whatever stands around it', () => {
    for (const json of [
      `{"biometric":{"referenceImage":"${LONG}"}}`,
      ` {\n"a" : [1, {"biometric": {"referenceImage": "${'y'.repeat(70_000)}"}}], "biometric"\t:\r\n { "referenceImage" : "${LONG}" } }`,
      `{"a":"\\"","b":"\\\\","biometric":{"c":{"referenceImage":"z"},"referenceImage":"${LONG}"}}`,
      `{"biometri\\u0063":{"r\\u0065ferenceImage":"${LONG}"}}`,
      `{"{\\"biometric\\":{":"}","biometric":{"referenceImage":"${LONG}","d":1}}`,
      `\ufeff{"biometric":{"referenceImage":"${LONG}"}}`,
    ])
      expect(cutOf(json)).toBe(LONG)
  })

  it.each([
    ['of another object', `{"biometrics":{"referenceImage":"${LONG}"}}`],
    ['further in', `{"a":{"biometric":{"referenceImage":"${LONG}"}}}`],
    ['further out', `{"referenceImage":"${LONG}","biometric":"${LONG}"}`],
    ['in a list', `[{"biometric":{"referenceImage":"${LONG}"}}]`],
    ['with a list between', `{"biometric":[{"referenceImage":"${LONG}"}]}`],
    ['with a list around', `{"biometric":{"referenceImage":["${LONG}"]}}`],
    ['with an object around', `{"biometric":{"referenceImage":{"referenceImage":"${LONG}"}}}`],
    ['behind the object', `{"biometric":{"referenceImage":"x"},"other":"${LONG}"}`],
    ['in another object after it', `{"biometric":{},"other":{"referenceImage":"${LONG}"}}`],
    ['as a name', `{"biometric":{"referenceImage":"x","${LONG}":1}}`],
    ['under a longer name', `{"biometric":{"referenceImage ":"${LONG}"}}`],
    ['under a name with an escape too many', `{"biometric":{"\\\\u0072eferenceImage":"${LONG}"}}`],
  ])('is not the one %s', (_, json) => {
    expect(cutOf(json)).toBeNull()
  })

  it('ends at its own quote, whatever is escaped in it', () => {
    for (const text of [
      '\\"',
      '\\\\',
      '\\\\\\"',
      '\\/',
      '\\u0022',
      'ä',
      '😀',
      '\\ud83d\\ude00',
      '\\\\\\\\',
    ]) {
      const image = text.repeat(40_000)
      for (const near of ['', 'x'.repeat(63), 'x'.repeat(64), 'x'.repeat(65)])
        expect(cutOf(`{"biometric":{"referenceImage":"${near}${image}","a":"\\"${LONG}"}}`)).toBe(
          near + image,
        )
    }
  })

  it('may come more than once, of which the first is it', () => {
    expect(cutOf(`{"biometric":{"referenceImage":"${LONG}","referenceImage":"${LONG}y"}}`)).toBe(LONG)
    expect(cutOf(`{"biometric":{"referenceImage":"x"},"biometric":{"referenceImage":"${LONG}"}}`)).toBe(LONG)
  })

  it('stays where it is when it is short, or not asked for', () => {
    expect(cutOf(`{"biometric":{"referenceImage":"${LONG.slice(1)}"}}`)).toBeNull()
    expect(cutOf(`{"biometric":{"referenceImage":"${LONG}"}}`, null)).toBeNull()
  })

  it('leaves the rest as it was', () => {
    const hows = fc.array(fc.nat(5), { minLength: 1, maxLength: 5 })
    const texts = fc.string({ unit: 'grapheme', maxLength: 30 })
    const around = fc.dictionary(texts, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 })
    fc.assert(
      fc.property(hows, around, around, texts, (how, before, within, text) => {
        const members = (object: Readonly<Record<string, unknown>>): string =>
          Object.entries(object)
            .filter(([name]) => !PATH.includes(name))
            .map(([name, value]) => `${written(name, how)}:${JSON.stringify(value)},`)
            .join('')
        const image = written(text.padEnd(LONG_TEXT_BYTES + 5, 'ü"\\/'), how)
        const json = `{${members(before)}${written('biometric', how)}:{${members(within)}${written('referenceImage', how)} : ${image}}}`
        const { longText } = scanJson(bytes(json), PATH)
        expect(longText).not.toBeNull()
        const span = longText ?? { start: 0, end: 0 }
        expect(`"${bytes(json).toString('utf8', span.start, span.end)}"`).toBe(image)
        const whole = JSON.parse(json) as { biometric: { referenceImage: string } }
        whole.biometric.referenceImage = '-'
        expect(JSON.parse(String(without(bytes(json), span, '-')))).toEqual(whole)
      }),
      { numRuns: 200 },
    )
  })

  it('may be anything in a body that is no JSON, which the rest shows', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...SIGNS, '"biometric"', '"referenceImage"', LONG)), (parts) => {
        const json = parts.join('') + FILLED
        const { longText } = scanJson(bytes(json), PATH)
        if (longText === null) return
        expect(json[longText.start - 1]).toBe('"')
        expect(longText.end).toBeLessThanOrEqual(json.length)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what a body holds', () => {
  const properties = (count: number): string =>
    `{${Array.from({ length: count }, (_, index) => `"n${index}":"::,,{["`).join(',')}}${FILLED}`
  const entries = (count: number): string => `[${Array.from({ length: count }, () => '0').join(',')}]`
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth) + FILLED

  it('is counted: properties, entries, and what stands inside each other', () => {
    expect(flawOf(properties(limits.bodyPropertiesMax))).toBeNull()
    expect(flawOf(properties(limits.bodyPropertiesMax + 1))).toBe('too_many_properties')
    expect(flawOf(entries(limits.bodyEntriesMax))).toBeNull()
    expect(flawOf(entries(limits.bodyEntriesMax + limits.bodyPropertiesMax + 2))).toBe('too_many_entries')
    expect(flawOf(nested(limits.bodyDepthMax))).toBeNull()
    expect(flawOf(nested(limits.bodyDepthMax + 1))).toBe('too_deep')
  })

  it('is counted in front of a long text and behind it', () => {
    const image = `"biometric":{"referenceImage":"${LONG}"}`
    const names = properties(limits.bodyPropertiesMax - 1).slice(1, -1 - FILLED.length)
    expect(flawOf(`{${image},${names}}`, PATH)).toBe('too_many_properties')
    expect(flawOf(`{${names},${image}}`, PATH)).toBe('too_many_properties')
  })

  it('is counted no further than it must be', () => {
    const many = Buffer.from(`{${'"":0,'.repeat(1_600_000)}`)
    const started = process.cpuUsage()
    for (let times = 0; times < 100; times += 1) expect(scanJson(many, PATH).flaw).toBe('too_many_properties')
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(1_000)
  })

  it('has as many bytes as any body beside the long text', () => {
    const json = (more: number): string => {
      const around = `{"biometric":{"referenceImage":""}}`.length
      return `{"biometric":{"referenceImage":"${LONG}"}${' '.repeat(limits.bodyBytesMax - around + more)}}`
    }
    expect(cutOf(json(0))).toBe(LONG)
    expect(flawOf(json(1), PATH)).toBe('too_large')
    expect(flawOf(`{"a":"${'x'.repeat(limits.bodyBytesMax)}"}`, PATH)).toBe('too_large')
    expect(flawOf(`{"a":"${'x'.repeat(limits.bodyBytesMax)}`, PATH)).toBe('too_large')
    const twice = `"${'x'.repeat(limits.bodyBytesMax)}"`
    const doubled = `{"biometric":{"referenceImage":${twice},"referenceImage":${twice}}}`
    expect(flawOf(doubled, PATH)).toBe('too_large')
  })

  it('is not looked at where it cannot be much', () => {
    expect(flawOf('['.repeat(4_096))).toBeNull()
    expect(flawOf('['.repeat(4_097))).toBe('too_deep')
  })
})
