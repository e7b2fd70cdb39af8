import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { audited, readAuditEntry, recordAudit } from '../../../src/actors/audit-entry/record-entry.ts'
import { type AccountsWorld, accountsWorld, tenantId } from '../account/accounts-world.ts'

let at: AccountsWorld
beforeAll(async () => {
  at = await accountsWorld()
})
afterAll(() => at.close())

const facts = {
  organisation: tenantId,
  initiator: 'member',
  initiatorId: 'acc_00aaaaaaaa',
  action: 'setWebhook',
  targetId: null,
} as const
const entries = () =>
  at.journal.batches
    .flat()
    .filter(({ actor }) => actor.startsWith('aud_'))
    .map(({ actor }) => actor)

describe('the audit log', () => {
  it('has the line before the action, and how it ended after it', async () => {
    const before = entries().length
    let seen = ''
    await audited(
      at.ports,
      facts,
      async () => {
        seen = entries().at(-1) ?? ''
        expect(entries()).toHaveLength(before + 1)
        expect(await readAuditEntry(at.ports, seen)).toMatchObject({ status: 'open', action: 'setWebhook' })
      },
      () => ({ outcome: 'refused', targetId: 'whk_1' }),
    )
    expect(await readAuditEntry(at.ports, seen)).toMatchObject({
      ...facts,
      targetId: 'whk_1',
      status: 'refused',
    })
  })

  it('says when an action failed, and passes the failure on', async () => {
    const failing = audited(
      at.ports,
      facts,
      () => Promise.reject(new Error('away')),
      () => ({ outcome: 'done', targetId: null }),
    )
    await expect(failing).rejects.toThrow('away')
    expect(await readAuditEntry(at.ports, entries().at(-1) ?? '')).toMatchObject({ status: 'failed' })
  })

  it('keeps what is over, and knows nothing else', async () => {
    const id = await recordAudit(at.ports, facts, 'done')
    expect(await readAuditEntry(at.ports, id)).toMatchObject({ status: 'done' })
    expect(await readAuditEntry(at.ports, 'aud_00nobodyyyy')).toBeNull()
    expect(await readAuditEntry(at.ports, 'nonsense')).toBeNull()
  })
})
