import { INVITATION } from '../actors/exchanges/invitation.ts'
import { isRefused, type Refused, refuse } from '../domain/exchanges/change.ts'
import type { InvitationReply } from '../domain/exchanges/invitation.ts'
import { newRecordId } from './ids.ts'
import { activeTenant } from './read-tenant.ts'
import type { UseCasePorts } from './use-case-ports.ts'

export type CreateInvitationPorts = UseCasePorts & {
  readonly newKey: () => { readonly seed: string; readonly publicKey: string }
  readonly invitationUrl: (facts: { id: string; label: string; key: string }) => string
}

export type InvitationOrder = {
  readonly tenant: string
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
  const id = newRecordId(INVITATION, ports.runtime)
  const { seed, publicKey } = ports.newKey()
  const command = {
    type: 'CreateInvitation',
    atMs: ports.runtime.now(),
    ...order,
    label: tenant.name,
    ownSeed: seed,
    ownKey: publicKey,
  }
  const options = { commandId: `create:${id}`, timeoutMs: ports.askTimeoutMs, tenant: order.tenant }
  const reply = await ports.actors.ask<InvitationReply>(id, command, options)
  if (!('invitation' in reply)) return reply
  const { label, ownKey, multiUse } = reply.invitation
  return { invitationId: id, invitationUrl: ports.invitationUrl({ id, label, key: ownKey }), multiUse }
}
