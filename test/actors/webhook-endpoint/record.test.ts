import { describe, expect, it } from 'vitest'
import { webhookView } from '../../../src/actors/webhook-endpoint/record.ts'

const endpoint = {
  status: 'set',
  tenant: 't',
  url: 'https://a.example',
  eventTypes: null,
  sealedSecret: 'sealed',
  secretCreatedAtMs: 0,
  sealedPreviousSecret: 'sealed too',
  previousSecretExpiresAtMs: 2_000,
  createdAtMs: 0,
  updatedAtMs: 1_000,
} as const

describe('a webhook endpoint, as it is shown', () => {
  it('tells until when the previous secret counts, and no secret', () => {
    expect(webhookView(endpoint, 1_999)).toMatchObject({
      url: 'https://a.example',
      previousSecretExpiresAt: '1970-01-01T00:00:02.000Z',
    })
    expect(webhookView(endpoint, 2_000).previousSecretExpiresAt).toBeNull()
    expect(JSON.stringify(webhookView(endpoint, 0))).not.toContain('sealed')
  })

  it('is nothing but nulls once it is removed, or when there never was one', () => {
    expect(webhookView({ ...endpoint, status: 'removed' }, 0)).toEqual(webhookView(null, 0))
    expect(new Set(Object.values(webhookView(null, 0)))).toEqual(new Set([null]))
  })
})
