import { describe, expect, it } from 'vitest'
import { walletView } from '../../../src/actors/wallet/record.ts'

const record = {
  status: 'revoked',
  tenant: 't',
  installationId: 'i',
  externalId: null,
  tokenHash: 'secret hash',
  createdAtMs: 0,
  updatedAtMs: 1_000,
  revokedAtMs: 1_000,
  revokedBy: 'tenant',
} as const

describe('a wallet, as it is shown', () => {
  it('says by whom and when it was revoked, and nothing of its token', () => {
    const shown = walletView('wal_1', record)
    expect(shown).toMatchObject({ revokedBy: 'tenant', revokedAt: '1970-01-01T00:00:01.000Z' })
    expect(JSON.stringify(shown)).not.toContain('secret')
    expect(
      walletView('wal_1', { ...record, status: 'pending', revokedAtMs: null, revokedBy: null }),
    ).toMatchObject({
      revokedAt: null,
      revokedBy: null,
    })
  })
})
