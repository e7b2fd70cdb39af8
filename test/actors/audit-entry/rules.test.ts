import { describe, expect, it } from 'vitest'
import { type AuditCommand, auditDecider, auditedId } from '../../../src/actors/audit-entry/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const open = (outcome: 'open' | 'done'): AuditCommand => ({
  type: 'OpenAuditEntry',
  atMs: 1,
  organisation: 'ten_00aaaaaaaa',
  initiator: 'member',
  initiatorId: 'acc_00aaaaaaaa',
  action: 'inviteMember',
  targetId: null,
  outcome,
})
const close = (outcome: 'done' | 'failed'): AuditCommand => ({
  type: 'CloseAuditEntry',
  atMs: 2,
  outcome,
  targetId: 'acc_00bbbbbbbb',
})
const run = (...commands: AuditCommand[]) => runDecider(auditDecider, commands)

describe('a line of the audit log', () => {
  it('is opened, closed, and never changes again', () => {
    expect(run(open('open')).state).toMatchObject({ status: 'open', updatedAtMs: 1 })
    expect(run(open('open'), close('done')).state).toMatchObject({
      status: 'done',
      targetId: 'acc_00bbbbbbbb',
      updatedAtMs: 2,
    })
    expect(run(open('open'), close('done'), close('failed'), open('open')).events).toHaveLength(2)
    expect(run(open('done'), close('failed')).state).toMatchObject({ status: 'done' })
  })

  it('that nobody wrote is not found', () => {
    const { replies, state } = run(close('done'))
    expect(replies).toMatchObject([{ refused: 'not_found' }])
    expect(auditDecider.views.record(state)).toMatchObject({ refused: 'not_found' })
  })
})

describe('an id that a caller gave', () => {
  it('is kept when it looks like one, and nothing else is', () => {
    for (const id of ['acc_00bbbbbbbb', 'd1e9d80czqn3e4hx6tpbmk907c']) expect(auditedId(id)).toBe(id)
    for (const other of [null, '', 'x', 'my secret passphrase', 'svc_sk_AbC', 'k'.repeat(81)])
      expect(auditedId(other)).toBeNull()
  })
})
