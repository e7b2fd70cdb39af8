import { describe, expect, it } from 'vitest'
import { isOutOfBounds } from '../../src/domain/json-bounds.ts'
import { limits } from '../../src/domain/limits.ts'

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

const list = (entry: string, count: number): string =>
  `[${Array.from({ length: count }, () => entry).join()}]`

describe('the depth of a JSON text', () => {
  it.each([lists, objects])('may be as much as the limit says and no more', (nested) => {
    expect(isOutOfBounds(nested(limits.messageDepthMax))).toBe(false)
    expect(isOutOfBounds(nested(limits.messageDepthMax + 1))).toBe(true)
  })

  it('is not what stands side by side', () => {
    expect(isOutOfBounds(`[${`${lists(9)},`.repeat(1_000)}1]`)).toBe(false)
  })

  it('is not what stands in texts, whatever is escaped there', () => {
    const brackets = '['.repeat(1_000)
    for (const text of [brackets, `"${brackets}`, `\\${brackets}`, `\\"${brackets}`, `${brackets}\\`])
      expect(isOutOfBounds(JSON.stringify({ [text]: [text, text] })), text.slice(0, 5)).toBe(false)
    expect(isOutOfBounds(`{"\\\\":${lists(1_000)}}`)).toBe(true)
  })

  it('of a text that is no JSON is found as well', () => {
    for (const text of ['', '"', '"\\', '"\\"', ']]]]{', '\\"['])
      expect(isOutOfBounds(text), text).toBe(false)
    expect(isOutOfBounds('['.repeat(2_000_000))).toBe(true)
  })
})

describe('the properties of a JSON text', () => {
  const { messagePropertiesMax: most } = limits
  const properties = (count: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [`:${index}`, ':,":"'])))

  it('may be as many as the limit says and no more, wherever they stand', () => {
    expect(isOutOfBounds(properties(most))).toBe(false)
    expect(isOutOfBounds(properties(most + 1))).toBe(true)
    expect(isOutOfBounds(`[${properties(most / 2)},[${properties(most / 2 + 1)}]]`)).toBe(true)
    const few = { properties: 3, entries: 3, numbers: 3 }
    expect(isOutOfBounds(properties(3), few)).toBe(false)
    expect(isOutOfBounds(properties(4), few)).toBe(true)
  })

  it('are more than a proof of all that may be asked for has', () => {
    const [groups, predicates] = [16, 64]
    // Of each attribute a proof has its share, its group's values and the value by itself; of a predicate some 25.
    expect(groups * limits.attributesMax * 6 + predicates * 25).toBeLessThan(most)
  })
})

describe('the entries of a JSON text', () => {
  const { messageEntriesMax: most, messageNumbersMax: numbersMost, messagePropertiesMax } = limits
  /** Properties have commas too, so a text without any may have as many entries more. */
  const mostAlone = most + messagePropertiesMax

  it.each(['[]', '{}', '""', 'null', '"1"', '[1]', ' {"a":1} '])('may not be any number of %s', (entry) => {
    expect(isOutOfBounds(list(entry, most))).toBe(false)
    expect(isOutOfBounds(list(entry, mostAlone + 2))).toBe(true)
  })

  it('are counted where lists have only one entry each', () => {
    const nested = lists(limits.messageDepthMax - 1)
    expect(isOutOfBounds(list(nested, Math.ceil(mostAlone / limits.messageDepthMax) + 20))).toBe(true)
  })

  it('may be far more where they are numbers, and not any number', () => {
    expect(isOutOfBounds(list('255', numbersMost))).toBe(false)
    expect(isOutOfBounds(list('255', numbersMost + messagePropertiesMax + 2))).toBe(true)
    expect(isOutOfBounds(list('-1.5e3', numbersMost + messagePropertiesMax + 2))).toBe(true)
  })

  it('are more than the commitments of a proof of all that may be asked for have', () => {
    const [groups, predicates, bytes] = [16, 64, 257]
    // One commitment of each credential, six of each predicate.
    expect((groups + 6 * predicates) * bytes).toBeLessThan(numbersMost)
  })
})
