import { createOwnKey } from '../../didcomm/keys.ts'
import { invitationMessage, invitationUrl } from '../../didcomm/protocols/invitation.ts'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { livingTenant } from '../tenant/read.ts'
import { wallet } from '../wallet/rules.ts'
import { servicesOf } from './addresses.ts'
import { invitedTooOften, nextInvitationAtMs } from './rules.ts'
import { mailbox, mailboxOf, type WalletInvitation } from './state.ts'

export type InvitePorts = Pick<ApiPorts, 'actors' | 'runtime' | 'publicUrl'>

export type MadeInvitation = {
  readonly invitationId: string
  readonly invitationUrl: string
  readonly expiresAtMs: number
}

const walletRevoked = refuse('forbidden', 'The wallet of this token was revoked.')
const organisationGone = refuse('forbidden', 'The organisation of this wallet does not exist any more.')
const GOOD_FOR_MS = limits.mediatorInvitationMinutes * 60_000

/** An invitation that connects the phone of this wallet with its mailbox, which comes to be with the first one. */
export const inviteWallet = async (
  ports: InvitePorts,
  { tenant, walletId }: { readonly tenant: string; readonly walletId: string },
): Promise<MadeInvitation | Refused> => {
  const { actors, runtime, publicUrl } = ports
  // A suspended organisation begins nothing new; its holders go on reading what they have.
  if (isRefused(await livingTenant(ports, tenant))) return organisationGone
  const owner = await actors.read(wallet.ref(walletId), { tenant })
  // The token was good a moment ago.
  if (isRefused(owner) || owner.tenant !== tenant || owner.status === 'revoked') return walletRevoked
  const atMs = runtime.now()
  const invitation: WalletInvitation = {
    id: runtime.newId(),
    ...createOwnKey(),
    expiresAtMs: atMs + GOOD_FOR_MS,
  }
  const address = mailboxOf(walletId)
  const command = { type: 'InviteWallet', atMs, tenant, walletId, invitation } as const
  const invited = await actors.ask(
    mailbox.ref(address),
    { ...command, externalId: owner.externalId },
    { commandId: `invite:${invitation.id}`, tenant },
  )
  if (isRefused(invited)) return invited
  const { id, ownKey, expiresAtMs } = invitation
  const services = servicesOf(ports, address, ownKey)
  const message = invitationMessage({ id, label: 'Mediator', goalCode: 'mediate', services })
  return {
    invitationId: id,
    invitationUrl: invitationUrl(`${publicUrl()}/i/${id}`, message),
    expiresAtMs,
  }
}

/** How long a wallet that was invited too often has to wait. */
export const untilNextInvitationMs = async (
  { actors, runtime }: Pick<InvitePorts, 'actors' | 'runtime'>,
  walletId: string,
): Promise<number> => {
  const record = await actors.read(mailbox.ref(mailboxOf(walletId)))
  return isRefused(record) ? 0 : nextInvitationAtMs(record) - runtime.now()
}

export const isInvitedTooOften = ({ refused }: Refused): boolean => refused === invitedTooOften.refused
