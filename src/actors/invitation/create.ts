import { createOwnKey } from '../../didcomm/keys.ts'
import { invitationMessage, invitationUrl } from '../../didcomm/protocols/invitation.ts'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { newRef } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { ownRecord } from '../own-record.ts'
import { activeTenant } from '../tenant/read.ts'
import { invitation, type InvitationRecord } from './rules.ts'

export type InvitationPorts = Pick<ApiPorts, 'actors' | 'runtime' | 'publicUrl'>

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
  ports: InvitationPorts,
  order: InvitationOrder,
): Promise<CreatedInvitation | Refused> => {
  const tenant = await activeTenant(ports, order.tenant)
  if (isRefused(tenant)) return tenant
  // Without a published name nothing can be issued over the connection.
  if (!tenant.registered)
    return refuse('organisation_not_ready', 'The identity of the organisation is not on the ledger yet.')
  const { id = newRef(invitation, ports.runtime), ...content } = order
  const command = {
    type: 'CreateInvitation',
    atMs: ports.runtime.now(),
    ...content,
    label: tenant.name,
    ...createOwnKey(),
  } as const
  const options = { commandId: `create:${id}`, tenant: order.tenant }
  const created = await ports.actors.ask(invitation.ref(id), command, options)
  return isRefused(created) ? created : shown(ports, id, created)
}

/** The invitation as it was made; null when there is none, or not of this tenant. */
export const showInvitation = async (
  ports: InvitationPorts,
  tenant: string,
  id: string,
): Promise<CreatedInvitation | null> => {
  const record = await ownRecord(ports, invitation, tenant, id)
  return record === null ? null : shown(ports, id, record)
}

const shown = (ports: InvitationPorts, id: string, record: InvitationRecord): CreatedInvitation => ({
  invitationId: id,
  invitationUrl: wholeInvitation(ports, id, record).url,
  multiUse: record.multiUse,
})

/** An invitation as a wallet reads it, and the address that holds all of it. */
export const wholeInvitation = (
  { publicUrl }: Pick<InvitationPorts, 'publicUrl'>,
  id: string,
  { label, alias, ownKey }: InvitationRecord,
) => {
  const message = invitationMessage({
    id,
    // An alias may be empty, and a wallet has to show something.
    label: alias?.trim() ? alias : (label ?? ''),
    services: [{ endpoint: `${publicUrl()}/didcomm/${id}`, recipientKeys: [ownKey], routingKeys: [] }],
  })
  const address = `${publicUrl()}/i/${id}`
  return { message, address, url: invitationUrl(address, message) }
}
