import { afterAll, describe, expect, it } from 'vitest'
import {
  changeRole,
  inviteAccount,
  listMembers,
  readMember,
  removeMember,
} from '../../../src/actors/account/members.ts'
import { ownSessionOfToken } from '../../../src/actors/account/own-account.ts'
import { accountsWorld, allowed, otherTenantId, tenantId } from './accounts-world.ts'

const at = await accountsWorld()
afterAll(() => at.close())

describe('members', () => {
  it('are invited once each, with a link that a new one replaces', async () => {
    const first = allowed(await inviteAccount(at.ports, tenantId, 'new@example.org', 'viewer'))
    expect(first.link).toMatch(/^https:\/\/console\.example\/console\/invitation#acc_00\w+\.[\w-]{59}$/)
    const again = allowed(await inviteAccount(at.ports, tenantId, ' NEW@example.org', 'viewer'))
    expect(again.id).toBe(first.id)
    expect(again.link).not.toBe(first.link)
    expect(await inviteAccount(at.ports, tenantId, 'new@example.org', 'admin')).toMatchObject({
      refused: 'already_member',
    })
    expect(await inviteAccount(at.ports, otherTenantId, 'new@example.org', 'admin')).toMatchObject({
      account: { organisation: otherTenantId },
    })
    expect(await inviteAccount(at.ports, tenantId, 'no address', 'admin')).toMatchObject({
      refused: 'invalid_request',
    })
    expect(await inviteAccount(at.ports, 'ten_00nobodyyyy', 'a@example.org', 'admin')).toMatchObject({
      refused: 'not_found',
    })
  })

  it('are listed newest first, each organisation its own', async () => {
    at.runtime.forward(1_000)
    await at.enrolled(tenantId, 'ann@example.org')
    at.runtime.forward(1_000)
    await at.enrolled(tenantId, 'bob@example.org', 'viewer')
    const addresses = (await listMembers(at.ports, tenantId)).map(
      ({ account }) => account.private?.emailAddress,
    )
    expect(addresses).toEqual(['bob@example.org', 'ann@example.org', 'new@example.org'])
    expect(await listMembers(at.ports, otherTenantId)).toHaveLength(1)
    expect(await inviteAccount(at.ports, tenantId, 'ann@example.org', 'admin')).toMatchObject({
      refused: 'already_member',
    })
  })

  it('change roles and go, but not the last who may change things', async () => {
    const [bob, ann] = await listMembers(at.ports, tenantId)
    if (bob === undefined || ann === undefined) throw new Error('two are needed')
    expect(await removeMember(at.ports, tenantId, ann.id)).toMatchObject({ refused: 'last_administrator' })
    expect(await changeRole(at.ports, tenantId, bob.id, 'admin')).toMatchObject({
      account: { role: 'admin' },
    })
    expect(await removeMember(at.ports, tenantId, ann.id)).toMatchObject({ id: ann.id })
    expect(await readMember(at.ports, tenantId, ann.id)).toMatchObject({ refused: 'not_found' })
    expect(await removeMember(at.ports, tenantId, ann.id)).toMatchObject({ refused: 'not_found' })
  })

  it('that are removed are out at once, their personal data is gone, and they may be invited anew', async () => {
    const carl = await at.enrolled(tenantId, 'carl@example.org', 'viewer')
    expect(await ownSessionOfToken(at.ports, carl.token)).toMatchObject({ accountId: carl.accountId })
    allowed(await removeMember(at.ports, tenantId, carl.accountId))
    expect(await ownSessionOfToken(at.ports, carl.token)).toBeNull()
    expect(at.vault.keys.has(carl.accountId)).toBe(false)
    const again = allowed(await inviteAccount(at.ports, tenantId, 'carl@example.org', 'viewer'))
    expect(again.id).not.toBe(carl.accountId)
  })

  it('are said to be removed only when nothing has their personal data any more', async () => {
    const dora = await at.enrolled(tenantId, 'dora@example.org', 'viewer')
    const forgotten: string[] = []
    let release = () => {}
    const waits = new Promise<void>((resolve) => (release = resolve))
    const ports = { ...at.ports, forgotten: (id: string) => (forgotten.push(id), waits) }
    let isAnswered = false
    const removed = removeMember(ports, tenantId, dora.accountId).finally(() => (isAnswered = true))
    await expect.poll(() => forgotten, { timeout: 5_000 }).toEqual([dora.accountId])
    expect(at.vault.keys.has(dora.accountId)).toBe(false)
    expect(isAnswered).toBe(false)
    release()
    expect(await removed).toMatchObject({ id: dora.accountId })
    expect(await removeMember(ports, tenantId, 'acc_00nobodyyyy')).toMatchObject({ refused: 'not_found' })
    expect(forgotten).toHaveLength(1)
  })

  it('of another organisation look like those that never were', async () => {
    const [stranger] = await listMembers(at.ports, otherTenantId)
    const unknown = await readMember(at.ports, tenantId, 'acc_00zzzzzzzz')
    expect(await readMember(at.ports, tenantId, stranger?.id ?? '')).toEqual(unknown)
    expect(await changeRole(at.ports, tenantId, stranger?.id ?? '', 'viewer')).toEqual(unknown)
    expect(await removeMember(at.ports, tenantId, stranger?.id ?? '')).toEqual(unknown)
  })

  it('of the service itself are operators', async () => {
    const operator = await at.enrolled(null, 'root@example.org', 'operator')
    expect(operator.account).toMatchObject({ organisation: null, role: 'operator' })
    expect(operator.session.expiresAtMs - operator.session.openedAtMs).toBe(12 * 3_600_000)
  })
})
