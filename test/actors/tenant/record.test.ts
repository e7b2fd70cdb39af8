import { describe, expect, it } from 'vitest'
import { apiKeySchema, apiKeyView, tenantSchema, tenantView } from '../../../src/actors/tenant/record.ts'
import { compileSchema } from '../../../src/http/route/validation.ts'

const tenant = {
  status: 'suspended',
  name: 'Registry',
  did: 'V4SGRU86Z58d6TV7PBUe6f',
  verkey: 'V',
  seed: 'never shown',
  registered: true,
  lastError: null,
  retentionDays: 90,
  retentionChangedAtMs: null,
  createdAtMs: 0,
  updatedAtMs: 1_000,
} as const

describe('what operators see', () => {
  it('of an organisation is no seed', () => {
    const shown = tenantView('ten_1', tenant)
    expect(compileSchema(tenantSchema, 'it')(shown)).toBeNull()
    expect(shown).toMatchObject({ id: 'ten_1', status: 'suspended', updatedAt: '1970-01-01T00:00:01.000Z' })
    expect(JSON.stringify(shown)).not.toContain('never shown')
  })

  it('of a key are its beginning and its end', () => {
    const shown = apiKeyView('key_1', {
      status: 'revoked',
      tenant: 'ten_1',
      label: 'shop',
      lastFour: 'abcd',
      secretHash: 'never shown',
      ratePerMinute: 600,
      createdAtMs: 0,
      revokedAtMs: 1_000,
    })
    expect(compileSchema(apiKeySchema, 'it')(shown)).toBeNull()
    expect(JSON.stringify(shown)).not.toContain('never shown')
    expect(shown).toMatchObject({
      tenantId: 'ten_1',
      prefix: 'svc_sk_',
      lastFour: 'abcd',
      ratePerMinute: 600,
    })
    expect(shown.revokedAt).toBe('1970-01-01T00:00:01.000Z')
  })
})
