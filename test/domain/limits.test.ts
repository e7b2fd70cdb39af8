import { describe, expect, it } from 'vitest'
import { limits, limitTable } from '../../src/domain/limits.ts'

describe('the limits of the contract', () => {
  it('leave room in a body for the largest of what it may carry', () => {
    expect(limits.imageBodyBytesMax).toBeGreaterThan(
      limits.referenceImageCharactersMax + limits.attributesBytesMax,
    )
    expect(limits.bodyBytesMax).toBeGreaterThan(2 * limits.attributesBytesMax)
  })

  it('each have a sentence', () => {
    for (const { doc, value } of Object.values(limitTable)) {
      expect(doc).toMatch(/\.$/)
      expect(value).toBeGreaterThan(0)
    }
  })
})
