import { limits } from '../../domain/limits.ts'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { addressed } from '../../ports/actors.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { endingActs } from '../acting/act-for.ts'
import { rosterOf, shardOfRealm, type Realm } from '../roster/rules.ts'
import { livingTenant } from '../tenant/read.ts'
import { askAccount, readRoster, type AccountPorts } from './ask-account.ts'
import { emailFingerprint, normalEmailAddress } from './email-address.ts'
import { noSuchAccount } from './rules.ts'
import { newAccountToken } from './secrets.ts'
import { account, type AccountCommand, type AccountRecord, type AccountRole, type Pass } from './state.ts'

export type Member = { readonly id: string; readonly account: AccountRecord }

/** `link` is in this answer and nowhere else; null when the same order was answered with it before. */
export type InvitedMember = Member & { readonly link: string | null; readonly expiresAtMs: number | null }

/** The id of an invitation, and of the account where the address has none yet. */
export const newInvitationId = (realm: Realm, runtime: AccountPorts['runtime']): string =>
  account.newRef(shardOfRealm(realm), runtime.newId())

/** Inviting an address again that has not been taken up makes a new link, and the old one is good for nothing. */
export const inviteAccount = async (
  ports: AccountPorts,
  realm: Realm,
  emailAddress: string,
  role: AccountRole,
  order: string = newInvitationId(realm, ports.runtime),
): Promise<InvitedMember | Refused> => {
  const address = normalEmailAddress(emailAddress)
  if (address === null) return refuse('invalid_request', 'emailAddress must be an e-mail address.')
  if (realm !== null) {
    const tenant = await livingTenant(ports, realm)
    if (isRefused(tenant)) return tenant
  }
  const print = await emailFingerprint(ports, realm, address)
  const listed = (await readRoster(ports, realm)).find((entry) => entry.address === print)
  const id = listed?.account ?? order
  const { token, hash } = newAccountToken(ports.tokenTags, 'invitation', id)
  const atMs = ports.runtime.now()
  const expiresAtMs = atMs + limits.memberInvitationDays * 24 * 3_600_000
  const invitation = { hash, expiresAtMs }
  const about = { organisation: realm, role, emailAddress: address }
  const invited =
    listed === undefined
      ? await firstInvited(ports, order, print, { type: 'InviteAccount', atMs, ...about, invitation })
      : await invitedAgain(ports, id, { isSameRole: listed.role === role, order }, { atMs, invitation })
  if (isRefused(invited)) return invited
  // The order was carried out before: its first answer alone had the link.
  const isNew = invited.invitation?.hash === hash
  const link = isNew ? `${ports.publicUrl()}/console/invitation#${token}` : null
  return { id, account: invited, link, expiresAtMs: invited.invitation?.expiresAtMs ?? null }
}

type Invite = Extract<AccountCommand, { readonly type: 'InviteAccount' }>

const firstInvited = async (
  { actors }: AccountPorts,
  id: string,
  print: string,
  command: Invite,
): Promise<AccountRecord | Refused> => {
  const { organisation, role } = command
  const made = await actors.askAtomically(
    [
      addressed(rosterOf(organisation), { type: 'ListAccount', account: id, address: print, role }),
      addressed(account.ref(id), command),
    ],
    { commandId: `invite:${id}`, tenant: organisation },
  )
  return isRefused(made) ? made : (made[1] ?? noSuchAccount)
}

const invitedAgain = async (
  ports: AccountPorts,
  id: string,
  { isSameRole, order }: { readonly isSameRole: boolean; readonly order: string },
  renewal: { readonly atMs: number; readonly invitation: Pass },
): Promise<AccountRecord | Refused> => {
  const known = await ports.actors.read(account.ref(id))
  // Made by this very order.
  if (id === order) return known
  if (!isRefused(known) && known.status === 'invited' && !isSameRole)
    return refuse(
      'already_member',
      'This address is invited in another role; change the role of that member first.',
    )
  const renewed = await askAccount(ports, id, { type: 'RenewInvitation', ...renewal }, `invite:${order}`)
  // Listed, and gone a moment later.
  return isRefused(renewed) && renewed.refused === 'not_found'
    ? refuse('already_member', 'This address is being removed at this moment; invite it again.')
    : renewed
}

const membersAmong = async ({ actors }: AccountPorts, ids: readonly string[]): Promise<readonly Member[]> => {
  const found = await Promise.all(
    ids.map(async (id) => ({ id, account: await actors.read(account.ref(id)) })),
  )
  return found.filter((each): each is Member => !isRefused(each.account))
}

/** Newest first. */
export const listMembers = async (ports: AccountPorts, realm: Realm): Promise<readonly Member[]> => {
  const entries = await readRoster(ports, realm)
  const members = await membersAmong(
    ports,
    entries.map(({ account: id }) => id),
  )
  return members.toSorted(
    (one, other) => other.account.createdAtMs - one.account.createdAtMs || (one.id < other.id ? 1 : -1),
  )
}

/** Whom an invitation was for, as far as the account is still there. */
export const readInvited = async (
  ports: AccountPorts,
  realm: Realm,
  order: string,
  emailAddress: string,
): Promise<Member | null> => {
  const print = await emailFingerprint(ports, realm, normalEmailAddress(emailAddress) ?? '')
  const entries = await readRoster(ports, realm)
  const found =
    entries.find((entry) => entry.account === order) ?? entries.find(({ address }) => address === print)
  const [member = null] = await membersAmong(ports, found === undefined ? [] : [found.account])
  return member
}

export const readMember = async (
  ports: AccountPorts,
  realm: Realm,
  id: string,
): Promise<Member | Refused> => {
  const isListed = (await readRoster(ports, realm)).some((entry) => entry.account === id)
  const [member] = await membersAmong(ports, isListed ? [id] : [])
  return member ?? refuse('not_found', 'There is no member with this id.')
}

export const changeRole = async (
  ports: AccountPorts,
  realm: Realm,
  id: string,
  role: AccountRole,
): Promise<Member | Refused> => {
  const known = await readMember(ports, realm, id)
  if (isRefused(known)) return known
  const { actors, runtime } = ports
  const changed = await actors.askAtomically(
    [
      addressed(rosterOf(realm), { type: 'ChangeListedRole', account: id, role }),
      addressed(account.ref(id), { type: 'ChangeRole', atMs: runtime.now(), role }),
    ],
    { commandId: runtime.newId(), tenant: realm },
  )
  return isRefused(changed) ? changed : { id, account: changed[1] ?? known.account }
}

/** With what an account's key is waited for until nothing has it any more. */
export type RemovalPorts = AccountPorts & Pick<ApiPorts, 'forgotten'>

/**
 * Ends every session (an operator acts for no organisation any more), and what was personal is gone, also from what the
 * key store has written ahead. The answer shows it for the last time. Where that takes too long it is `unavailable`; the
 * member is removed all the same.
 */
export const removeMember = async (
  ports: RemovalPorts,
  realm: Realm,
  id: string,
): Promise<Member | Refused> => {
  const known = await readMember(ports, realm, id)
  if (isRefused(known)) return known
  const { actors, runtime } = ports
  const remove = () =>
    actors.askAtomically(
      [
        addressed(rosterOf(realm), { type: 'UnlistAccount', account: id }),
        addressed(account.ref(id), { type: 'RemoveAccount', atMs: runtime.now() }),
      ],
      { commandId: runtime.newId(), tenant: realm },
    )
  const removed = await (realm === null ? endingActs(ports, id, remove) : remove())
  if (isRefused(removed)) return removed
  await ports.forgotten(account.ref(id))
  return known
}
