import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accountCommands } from '../../../src/actors/account/orders.ts'
import { type AccountsWorld, accountsWorld, tenantId } from './accounts-world.ts'

let at: AccountsWorld
beforeAll(async () => {
  at = await accountsWorld()
})
afterAll(() => at.close())

const order = (name: string, input: object) => {
  const command = accountCommands(at.ports)[name]
  if (command === undefined) throw new Error(`there is no ${name}`)
  return command.run(input)
}

describe('orders about people', () => {
  it('make links, lists and removals', async () => {
    const emailAddress = 'ann@example.org'
    const made = await order('member invite', { tenant: tenantId, emailAddress, role: 'admin' })
    expect(made).toMatchObject({ role: 'admin', link: expect.stringContaining('#acc_00') as unknown })
    expect(await order('member list', { tenant: tenantId })).toMatchObject({ items: [{ emailAddress }] })
    const { id } = made as { id: string }
    expect(await order('member remove', { tenant: tenantId, id })).toEqual({ id, status: 'removed' })
    expect(await order('member list', { tenant: tenantId })).toEqual({ items: [] })
    expect(await order('operator invite', { emailAddress })).toMatchObject({ role: 'operator' })
    expect(await order('operator list', {})).toMatchObject({ items: [{ emailAddress, status: 'invited' }] })
    expect(await order('operator remove', { id })).toMatchObject({ refused: 'not_found' })
  })

  it('are refused with what is wrong', async () => {
    const emailAddress = 'ann@example.org'
    const wrongRole = { tenant: tenantId, emailAddress, role: 'operator' }
    expect(await order('member invite', wrongRole)).toMatchObject({ refused: 'invalid_request' })
    for (const tenant of ['nonsense', 'ten_00nobodyyyy'])
      expect(await order('member invite', { tenant, emailAddress, role: 'viewer' })).toMatchObject({
        refused: 'not_found',
      })
    expect(await order('member list', { tenant: 'nonsense' })).toMatchObject({ refused: 'not_found' })
  })
})
