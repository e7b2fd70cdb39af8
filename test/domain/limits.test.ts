import { describe, expect, it } from 'vitest'
import { limits, limitTable } from '../../src/domain/limits.ts'

describe('the limits of the contract', () => {
  it('are the numbers that callers were promised', () => {
    expect(limits).toMatchObject({
      attributesMax: 125,
      attributeNameCharactersMax: 100,
      attributeValueBytesMax: 4 * 1024,
      attributesBytesMax: 64 * 1024,
      expiresAtSecondsMax: 2 ** 31 - 1,
      referenceImageBytesMax: 5 * 1024 * 1024,
      idempotencyHours: 24,
      webhookAttemptsMax: 12,
      webhookTimeoutMs: 10_000,
      abandonmentHours: 24,
      walletNeverConnectedDays: 7,
      walletConnectionRemovalDays: 30,
    })
  })

  it('leave room in a body for the largest of what it may carry', () => {
    expect(limits.imageBodyBytesMax).toBeGreaterThan(
      limits.referenceImageCharactersMax + limits.attributesBytesMax,
    )
    expect(limits.bodyBytesMax).toBeGreaterThan(2 * limits.attributesBytesMax)
  })

  it('take about two and a half hours to give a webhook up', () => {
    let seconds = 0
    for (let attempt = 1; attempt < limits.webhookAttemptsMax; attempt++) {
      seconds += Math.min(
        limits.webhookBackoffFirstSeconds * 2 ** (attempt - 1),
        limits.webhookBackoffSecondsMax,
      )
    }
    expect(seconds / 3600).toBeCloseTo(2.5, 0)
  })

  it('each have a sentence', () => {
    for (const { doc, value } of Object.values(limitTable)) {
      expect(doc).toMatch(/\.$/)
      expect(value).toBeGreaterThan(0)
    }
  })
})
