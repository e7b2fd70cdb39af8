import { describe, expect, it } from 'vitest'
import { auditEntryKind } from '../../../src/actors/audit-entry/index.ts'
import type { KindPorts } from '../../../src/actors/kind-ports.ts'

describe('the actor of a line of the audit log', () => {
  it('stores what it reads, ids and a sealed reason', () => {
    const { events, snapshots, keyParent } = auditEntryKind.definition({} as KindPorts)
    const facts = {
      organisation: null,
      initiator: 'command_line',
      initiatorId: null,
      action: 'tenant create',
      targetId: null,
    } as const
    const opened = { type: 'AuditEntryOpened', atMs: 1, outcome: 'open', ...facts } as const
    expect(events.decode(events.encode(opened, null), null)).toEqual(opened)
    const state = { status: 'done', ...facts, createdAtMs: 1, updatedAtMs: 2 } as const
    expect(snapshots.decode(snapshots.encode(state, null), null)).toEqual(state)
    const why = { ...opened, sealedReason: 'ciphertext' }
    expect(events.decode(events.encode(why, null), null)).toEqual(why)
    expect(keyParent).toBeNull()
  })
})
