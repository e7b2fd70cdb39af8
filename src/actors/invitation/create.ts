import { INVITATION } from './kind.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import type { InvitationRecord, InvitationReply } from './rules.ts'
import { newRecordId } from '../ids.ts'
import { activeTenant } from '../tenant/read.ts'
import type { UseCasePorts } from '../command-ports.ts'

export type CreateInvitationPorts = UseCasePorts & {
  readonly newKey: () => { readonly seed: string; readonly publicKey: string }
  readonly invitationUrl: (facts: { id: string; label: string; key: string }) => string
}

export type InvitationOrder = {
  readonly tenant: string
  /** Chosen by the caller when a repeated request must find the same record. */
  readonly id?: string
  readonly multiUse: boolean
  readonly alias: string | null
  readonly externalId: string | null
}

export type CreatedInvitation = {
  readonly invitationId: string
  readonly invitationUrl: string
  readonly multiUse: boolean
}

export const createInvitation = async (
  ports: CreateInvitationPorts,
  order: InvitationOrder,
): Promise<CreatedInvitation | Refused> => {
  const tenant = await activeTenant(ports, order.tenant)
  if (isRefused(tenant)) return tenant
  // Without a published name nothing can be issued over the connection.
  if (!tenant.registered)
    return refuse('organisation_not_ready', 'The identity of the organisation is not on the ledger yet.')
  const { id = newRecordId(INVITATION, ports.runtime), ...content } = order
  const { seed, publicKey } = ports.newKey()
  const command = {
    type: 'CreateInvitation',
    atMs: ports.runtime.now(),
    ...content,
    label: tenant.name,
    ownSeed: seed,
    ownKey: publicKey,
  }
  const options = { commandId: `create:${id}`, timeoutMs: ports.askTimeoutMs, tenant: order.tenant }
  const reply = await ports.actors.ask<InvitationReply>(id, command, options)
  return 'invitation' in reply ? shown(ports, id, reply.invitation) : reply
}

/** The invitation as it was made; null when there is none, or not of this tenant. */
export const readInvitation = async (
  ports: CreateInvitationPorts,
  tenant: string,
  id: string,
): Promise<CreatedInvitation | null> => {
  const options = { commandId: '', timeoutMs: ports.askTimeoutMs, tenant }
  const reply = await ports.actors.ask<InvitationReply>(id, { type: 'ReadInvitation' }, options)
  const isOwn = 'invitation' in reply && reply.invitation.tenant === tenant
  return isOwn ? shown(ports, id, reply.invitation) : null
}

const shown = (
  { invitationUrl }: CreateInvitationPorts,
  id: string,
  { label, alias, ownKey, multiUse }: InvitationRecord,
): CreatedInvitation => ({
  invitationId: id,
  // An alias may be empty, and a wallet has to show something.
  invitationUrl: invitationUrl({ id, label: alias?.trim() ? alias : label, key: ownKey }),
  multiUse,
})
