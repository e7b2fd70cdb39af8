import { ACCOUNT } from './kind.ts'
import type { AccountRecord, AccountRole } from './state.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'
import { actorId } from '../../domain/shards.ts'
import { readTenant } from '../tenant/read.ts'
import type { AccountPorts, Realm } from './account-ports.ts'
import { newAccountToken } from './secrets.ts'
import { askAccount, askTogetherWith, readAccount, readRoster, shardOfRealm } from './ask-account.ts'
import { addressPrint, normalAddress } from './email-address.ts'

export type Member = { readonly id: string; readonly account: AccountRecord }

/** `link` is in this answer and nowhere else; null when the same order was answered with it before. */
export type Invited = Member & { readonly link: string | null; readonly expiresAtMs: number | null }

/** Of an invitation, and of the account where the address has none yet. */
export const newInvitationId = (realm: Realm, runtime: AccountPorts['runtime']): string =>
  actorId(ACCOUNT, shardOfRealm(realm), runtime.newId())

/** Inviting an address again that has not been taken up makes a new link, and the old one is good for nothing. */
export const inviteAccount = async (
  ports: AccountPorts,
  realm: Realm,
  emailAddress: string,
  role: AccountRole,
  order: string = newInvitationId(realm, ports.runtime),
): Promise<Invited | Refused> => {
  const address = normalAddress(emailAddress)
  if (address === null) return refuse('invalid_request', 'emailAddress must be an e-mail address.')
  if (realm !== null) {
    const tenant = await readTenant(ports, realm)
    if (isRefused(tenant)) return tenant
  }
  const print = await addressPrint(ports, realm, address)
  const listed = (await readRoster(ports, realm)).find((entry) => entry.address === print)
  const id = listed?.account ?? order
  const { token, hash } = newAccountToken(id)
  const atMs = ports.runtime.now()
  const expiresAtMs = atMs + limits.memberInvitationDays * 24 * 3_600_000
  const invitation = { hash, expiresAtMs }
  const reply =
    listed === undefined
      ? await askTogetherWith(
          ports,
          realm,
          {
            id,
            command: {
              type: 'InviteAccount',
              atMs,
              organisation: realm,
              role,
              emailAddress: address,
              invitation,
            },
          },
          {
            roster: { type: 'ListAccount', account: id, address: print, role },
            commandId: `invite:${order}`,
          },
        )
      : await renewed(ports, id, { isSameRole: listed.role === role, order }, { atMs, invitation })
  if (isRefused(reply)) return reply
  const { account } = reply
  // The order was carried out before, and who gave it has the link, or nobody has.
  const link = account.invitation?.hash === hash ? `${ports.consoleUrl()}/invitation#${token}` : null
  return { id, account, link, expiresAtMs: account.invitation?.expiresAtMs ?? null }
}

type Renewal = {
  readonly atMs: number
  readonly invitation: { readonly hash: string; readonly expiresAtMs: number }
}

const renewed = async (
  ports: AccountPorts,
  id: string,
  { isSameRole, order }: { readonly isSameRole: boolean; readonly order: string },
  renewal: Renewal,
) => {
  // Made by this very order.
  if (id === order) return askAccount(ports, id, { type: 'ReadAccount' })
  const known = await readAccount(ports, id)
  if (known?.status === 'invited' && !isSameRole)
    return refuse(
      'already_member',
      'This address is invited in another role; change the role of that member first.',
    )
  const reply = await askAccount(ports, id, { type: 'RenewInvitation', ...renewal }, `invite:${order}`)
  // Listed, and gone a moment later.
  return isRefused(reply) && reply.refused === 'not_found'
    ? refuse('already_member', 'This address is being removed at this moment; invite it again.')
    : reply
}

/** Newest first. */
export const listMembers = async (ports: AccountPorts, realm: Realm): Promise<readonly Member[]> => {
  const entries = await readRoster(ports, realm)
  const found = await Promise.all(
    entries.map(async ({ account: id }) => ({ id, account: await readAccount(ports, id) })),
  )
  return found
    .filter((each): each is Member => each.account !== null)
    .toSorted(
      (one, other) => other.account.createdAtMs - one.account.createdAtMs || (one.id < other.id ? 1 : -1),
    )
}

/** Whom an invitation was for, as far as they are still there. */
export const readInvited = async (
  ports: AccountPorts,
  realm: Realm,
  order: string,
  emailAddress: string,
): Promise<Member | null> => {
  const print = await addressPrint(ports, realm, normalAddress(emailAddress) ?? '')
  const entries = await readRoster(ports, realm)
  const id = (
    entries.find(({ account }) => account === order) ?? entries.find(({ address }) => address === print)
  )?.account
  const account = id === undefined ? null : await readAccount(ports, id)
  return id === undefined || account === null ? null : { id, account }
}

export const readMember = async (
  ports: AccountPorts,
  realm: Realm,
  id: string,
): Promise<Member | Refused> => {
  const entries = await readRoster(ports, realm)
  const account = entries.some((entry) => entry.account === id) ? await readAccount(ports, id) : null
  return account === null ? refuse('not_found', 'There is no member with this id.') : { id, account }
}

export const changeRole = async (
  ports: AccountPorts,
  realm: Realm,
  id: string,
  role: AccountRole,
): Promise<Member | Refused> => {
  const known = await readMember(ports, realm, id)
  if (isRefused(known)) return known
  const command = { type: 'ChangeRole', atMs: ports.runtime.now(), role } as const
  const roster = { type: 'ChangeListedRole', account: id, role } as const
  const reply = await askTogetherWith(ports, realm, { id, command }, { roster })
  return isRefused(reply) ? reply : { id, account: reply.account }
}

/** Ends every session, and what was personal is gone. The answer shows it for the last time. */
export const removeMember = async (
  ports: AccountPorts,
  realm: Realm,
  id: string,
): Promise<Member | Refused> => {
  const known = await readMember(ports, realm, id)
  if (isRefused(known)) return known
  const command = { type: 'RemoveAccount', atMs: ports.runtime.now() } as const
  const reply = await askTogetherWith(
    ports,
    realm,
    { id, command },
    { roster: { type: 'UnlistAccount', account: id } },
  )
  return isRefused(reply) ? reply : known
}
