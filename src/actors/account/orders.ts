import { Type } from 'typebox'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import { exact, isoTime } from '../../http/route/fields.ts'
import { memberView } from './record.ts'
import { type AccountPorts, isRealm } from './ask-account.ts'
import { type Invited, inviteAccount, listMembers, removeMember } from './members.ts'
import { command, type Commands, text } from '../../compose/command.ts'

const role = Type.Unsafe<'admin' | 'viewer'>({ type: 'string', enum: ['admin', 'viewer'] })

/** People, as the operator orders it. A link is in the one answer that makes it. */
export const accountCommands = (ports: AccountPorts): Commands => ({
  'member invite': command(exact({ tenant: text, emailAddress: text, role }), (order) =>
    ofTenant(order.tenant, async () =>
      shown(await inviteAccount(ports, order.tenant, order.emailAddress, order.role)),
    ),
  ),
  'member list': command(exact({ tenant: text }), ({ tenant }) =>
    ofTenant(tenant, () => listed(ports, tenant)),
  ),
  'member remove': command(exact({ tenant: text, id: text }), ({ tenant, id }) =>
    ofTenant(tenant, () => removed(ports, tenant, id)),
  ),
  'operator invite': command(exact({ emailAddress: text }), async ({ emailAddress }) =>
    shown(await inviteAccount(ports, null, emailAddress, 'operator')),
  ),
  'operator list': command(exact({}), () => listed(ports, null)),
  'operator remove': command(exact({ id: text }), ({ id }) => removed(ports, null, id)),
})

const ofTenant = (tenant: string, run: () => Promise<object | Refused>): Promise<object | Refused> =>
  isRealm(tenant) ? run() : Promise.resolve(refuse('not_found', 'There is no organisation with this id.'))

const shown = (invited: Invited | Refused): object | Refused => {
  if (isRefused(invited)) return invited
  const { id, account, link, expiresAtMs } = invited
  return { id, role: account.role, link, expiresAt: expiresAtMs === null ? null : isoTime(expiresAtMs) }
}

const listed = async (ports: AccountPorts, realm: string | null): Promise<object> => ({
  items: (await listMembers(ports, realm)).map(({ id, account }) => memberView(id, account)),
})

const removed = async (ports: AccountPorts, realm: string | null, id: string): Promise<object | Refused> => {
  const gone = await removeMember(ports, realm, id)
  return isRefused(gone) ? gone : { id, status: 'removed' }
}
