import { afterAll, describe, expect, it } from 'vitest'
import { inviteFirstAdministrator } from '../../../src/actors/account/first-administrator.ts'
import { inviteAccount, newInvitationId } from '../../../src/actors/account/members.ts'
import { createTenant, orderDeletion, suspendTenant } from '../../../src/actors/tenant/commands.ts'
import { tenant } from '../../../src/actors/tenant/rules.ts'
import { apiOnMemory, freshOperator } from '../../compose/api-on-memory.ts'
import { consolePeople } from '../../compose/console-people.ts'
import { allowed, tokenOf } from './accounts-world.ts'

const at = await apiOnMemory()
const people = consolePeople(at)
const { useCases, runtime } = at.service
afterAll(() => at.close())

const organisation = async (): Promise<string> => allowed(await createTenant(useCases, 'Registry')).id
const invite = (id: string, emailAddress: string, order = newInvitationId(id, runtime)) =>
  inviteFirstAdministrator(people.ports, id, emailAddress, order)
const has = { refused: 'has_administrator' }

describe('the first administrator of an organisation', () => {
  it('is invited again, and another one beside, until one of them has signed up', async () => {
    const id = await organisation()
    const first = allowed(await invite(id, 'ann@example.org'))
    expect(first.account).toMatchObject({ organisation: id, role: 'admin', status: 'invited' })
    const again = allowed(await invite(id, 'ANN@example.org'))
    expect([again.id, again.link === first.link]).toEqual([first.id, false])
    const other = allowed(await invite(id, 'bob@example.org'))
    expect(other.id).not.toBe(first.id)
    await people.takeUp(tokenOf(again.link))
    for (const address of ['ann@example.org', 'bob@example.org', 'eve@example.org'])
      expect(await invite(id, address)).toMatchObject(has)
  })

  it('is missed where viewers alone have signed up', async () => {
    const id = await organisation()
    await people.enrol(id, 'vic@example.org', 'viewer')
    expect(await invite(id, 'vic@example.org')).toMatchObject({ refused: 'already_member' })
    expect(await invite(id, 'ann@example.org')).toMatchObject({ account: { role: 'admin' } })
  })

  it('is nobody’s affair in an organisation that was never there, or whose deletion has begun', async () => {
    const id = await organisation()
    await people.enrol(id, 'ann@example.org')
    const ref = tenant.ref(id)
    const atMs = runtime.now()
    const options = (commandId: string) => ({ commandId, tenant: null })
    await useCases.actors.ask(ref, { type: 'OrderDeletion', atMs: atMs - 8 * 86_400_000 }, options('order'))
    await useCases.actors.ask(ref, { type: 'BeginDeletion', atMs }, options('begin'))
    for (const each of [id, 'ten_00nobodyyyy', 'nonsense'])
      expect(await invite(each, 'bob@example.org')).toMatchObject({ refused: 'not_found' })
  })

  it('is invited by the command line as ever while the organisation is suspended or waits for its deletion', async () => {
    const id = await organisation()
    allowed(await suspendTenant(useCases, id))
    expect(await invite(id, 'ann@example.org')).toMatchObject({ account: { status: 'invited' } })
    allowed(await orderDeletion(useCases, id, 'Registry'))
    expect(await invite(id, 'ann@example.org')).toMatchObject({ account: { status: 'invited' } })
  })

  it('is what an order has made whose answer was lost, whoever has signed up since', async () => {
    const id = await organisation()
    const order = newInvitationId(id, runtime)
    const made = allowed(await invite(id, 'ann@example.org', order))
    await people.enrol(id, 'bob@example.org')
    expect(await invite(id, 'ann@example.org', order)).toMatchObject({ id: made.id, link: null })
    expect(await invite(id, 'ann@example.org')).toMatchObject(has)
  })

  it('leaves an administrator who has lost access to the command line', async () => {
    const id = await organisation()
    await people.enrol(id, 'ann@example.org')
    expect(await invite(id, 'bob@example.org')).toMatchObject(has)
    expect(await inviteAccount(people.ports, id, 'bob@example.org', 'admin')).toMatchObject({
      account: { role: 'admin' },
    })
  })
})

describe('POST /v1/operator/tenants/{id}/administrators', () => {
  it('lets in whom an operator invites, who reads in the audit log of the organisation who it was, and whom else', async () => {
    const id = await organisation()
    const path = `/v1/operator/tenants/${id}/administrators`
    const ask = (emailAddress: string) => at.send('POST', path, { as: freshOperator, body: { emailAddress } })
    const invited = await ask('Ann@example.org')
    expect(invited).toMatchObject({
      status: 201,
      json: { emailAddress: 'ann@example.org', role: 'admin', status: 'invited' },
    })
    const ann = await people.takeUp(tokenOf(String(invited.json['invitationLink'])))
    expect(await ask('bob@example.org')).toMatchObject({ status: 409, json: { error: 'has_administrator' } })
    const { headers } = ann
    const log = await at.send('GET', '/v1/audit-log?action=inviteFirstAdministrator', { headers })
    expect(log.json['items']).toMatchObject([
      { initiator: 'operator', outcome: 'refused', organisation: id, targetId: null },
      { initiator: 'operator', outcome: 'done', organisation: id, targetId: invited.json['id'] },
    ])
    expect((await at.send('POST', path, { headers, body: { emailAddress: 'c@example.org' } })).status).toBe(
      403,
    )
  })

  it('of an organisation that is not there is 404, and no line of anybody’s log', async () => {
    for (const id of ['ten_00nobodyyyy', 'nonsense']) {
      const path = `/v1/operator/tenants/${id}/administrators`
      const body = { emailAddress: 'ann@example.org' }
      expect(await at.send('POST', path, { as: freshOperator, body })).toMatchObject({ status: 404 })
    }
  })
})
