import { describe, expect, it } from 'vitest'
import { auditView } from '../../../src/actors/audit-entry/record.ts'

describe('what is shown of the audit log', () => {
  it('calls the state of a line its outcome, and shows the reason as its reader may see it', () => {
    const facts = {
      organisation: null,
      initiator: 'operator',
      initiatorId: 'o',
      action: 'a',
      targetId: null,
    } as const
    const entry = { ...facts, status: 'open', createdAtMs: 0, updatedAtMs: 0 } as const
    expect(auditView('aud_1', { ...entry, sealedReason: 'ciphertext' }, 'Ticket')).toEqual({
      id: 'aud_1',
      ...facts,
      reason: 'Ticket',
      outcome: 'open',
      createdAt: '1970-01-01T00:00:00.000Z',
      updatedAt: '1970-01-01T00:00:00.000Z',
    })
  })
})
