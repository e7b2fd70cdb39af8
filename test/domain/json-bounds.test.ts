import { describe, expect, it } from 'vitest'
import { isOutOfBounds } from '../../src/domain/json-bounds.ts'
import { limits } from '../../src/domain/limits.ts'

const lists = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const objects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

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
    expect(isOutOfBounds(properties(3), 3)).toBe(false)
    expect(isOutOfBounds(properties(4), 3)).toBe(true)
  })

  it('are more than a proof of all that may be asked for has', () => {
    const [groups, predicates] = [16, 64]
    // Of each attribute a proof has its share, its group's values and the value by itself; of a predicate some 25.
    expect(groups * limits.attributesMax * 6 + predicates * 25).toBeLessThan(most)
  })
})
