import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditedOrders } from '../../src/compose/audited-orders.ts'
import { auditEntry } from '../../src/actors/audit-entry/rules.ts'
import { type AccountsWorld, accountsWorld, tenantId } from '../actors/account/accounts-world.ts'

let at: AccountsWorld
beforeAll(async () => {
  at = await accountsWorld()
})
afterAll(() => at.close())

const orders = (answer: object) =>
  auditedOrders({ ...at.ports, askTimeoutMs: 5_000 }, () => Promise.resolve(answer))
const entries = () =>
  at.journal.batches
    .flat()
    .map(({ actor }) => actor)
    .filter((actor) => actor.startsWith('aud_'))

describe('orders of the command line', () => {
  it('stand in the audit log of whom they concern', async () => {
    expect(
      await orders({ id: 'key_1', key: 'secret' })('key create', { tenant: tenantId, label: 'l' }),
    ).toEqual({
      id: 'key_1',
      key: 'secret',
    })
    expect(await at.ports.actors.read(auditEntry.ref(entries().at(-1) ?? ''))).toMatchObject({
      organisation: tenantId,
      initiator: 'command_line',
      action: 'key create',
      targetId: 'key_1',
      status: 'done',
    })
    await orders({ refused: 'not_found', reason: 'No.' })('key revoke', { id: 'd1e9d80czqn3e4' })
    expect(await at.ports.actors.read(auditEntry.ref(entries().at(-1) ?? ''))).toMatchObject({
      organisation: null,
      targetId: 'd1e9d80czqn3e4',
      status: 'refused',
    })
  })

  it('that only look leave no line', async () => {
    const before = entries().length
    await orders({})('tenant show', { id: tenantId })
    await orders({})('member list', { tenant: tenantId })
    expect(entries()).toHaveLength(before)
  })
})
