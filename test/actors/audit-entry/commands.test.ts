import { afterAll, describe, expect, it } from 'vitest'
import { audited, openReason, recordAudit, sealReason } from '../../../src/actors/audit-entry/commands.ts'
import { auditEntry } from '../../../src/actors/audit-entry/rules.ts'
import { accountsWorld, tenantId } from '../account/accounts-world.ts'

const at = await accountsWorld()
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

const read = (id: string) => at.ports.actors.read(auditEntry.ref(id))

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
        expect(await read(seen)).toMatchObject({ status: 'open', action: 'setWebhook' })
      },
      () => ({ outcome: 'refused', targetId: 'whk_1' }),
    )
    expect(await read(seen)).toMatchObject({
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
    expect(await read(entries().at(-1) ?? '')).toMatchObject({ status: 'failed' })
  })

  it('keeps what is over, and knows nothing else', async () => {
    const id = await recordAudit(at.ports, facts, 'done')
    expect(await read(id)).toMatchObject({ status: 'done' })
    expect(await read('aud_00nobodyyyy')).toMatchObject({ refused: 'not_found' })
  })

  it('has reasons that open for their organisation alone', async () => {
    const sealed = await sealReason(at.ports, tenantId, 'Ticket')
    expect(sealed).not.toContain('Ticket')
    expect(await openReason(at.ports, tenantId, sealed)).toBe('Ticket')
  })
})
