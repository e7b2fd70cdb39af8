import { Type } from 'typebox'
import { limits } from '../../domain/limits.ts'
import { isRefused } from '../../domain/decider.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { exact, externalId, recordOf, words } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { newRef } from '../ids.ts'
import { tags } from '../tags.ts'
import { createInvitation, showInvitation, type InvitationPorts } from './create.ts'
import { openInvitationRoute } from './open-route.ts'
import { invitation } from './rules.ts'

const refusals = ['organisation_not_ready', 'forbidden'] as const

const invitationBody = exact({
  multiUse: Type.Optional(
    Type.Boolean({
      description: 'Whether many holders may answer it, at a kiosk for example; false by default.',
      examples: [false],
    }),
  ),
  alias: Type.Optional(
    Type.String({
      maxLength: limits.aliasCharactersMax,
      description: 'Who invites, as the wallet shows it; the name of the organisation by default.',
      examples: ['Reception desk'],
    }),
  ),
  externalId: Type.Optional(externalId),
})

const invitationSchema = recordOf('Invitation', {
  invitationId: words('Names the invitation.', 'inv_a04c6e8g1j3m5p7r9t2v4x6z'),
  invitationUrl: words(
    'To be shown as a link or a QR code.',
    'https://vouchsafe.example/i/inv_a04c6e8g1j3m5p7r9t2v4x6z?oob=eyJAdHlwZSI6Ii4uLiJ9',
  ),
  multiUse: Type.Boolean({
    description: 'Whether many holders may answer it.',
    examples: [false],
  }),
})

export const invitationRoutes = (ports: InvitationPorts): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/connections/invitations',
    operationId: 'createInvitation',
    summary: 'Creates an invitation for one holder or for many',
    description:
      'Show `invitationUrl` to the holder as a link or a QR code. Opened in a browser, it is a page with a QR code of its own. When a wallet answers, a connection comes to be with the `externalId` that is given here, and `connection.state_changed` tells each of its steps up to `completed`. A wallet that has a connection to you may use that one again instead: no state changes and no event comes, and `GET /v1/connections` finds it by this `invitationId`, with the `invitationId` and `externalId` that it came to be with.',
    tag: tags.connections,
    access: { callers: TENANT_CALLERS },
    body: invitationBody,
    responses: {
      201: invitationSchema,
    },
    errors: refusals,
    idempotency: {
      newRecordId: () => newRef(invitation, ports.runtime),
      showRecord: (tenant, id) => showInvitation(ports, tenant, id),
    },
    handle: async ({ caller, body, recordId }) => {
      const { multiUse = false, alias = null, externalId: external = null } = body
      const order = { tenant: caller.tenantId, id: recordId, multiUse, alias, externalId: external }
      const made = await createInvitation(ports, order)
      return isRefused(made) ? refusal(refusals, made) : reply(201, made)
    },
  }),
  openInvitationRoute(ports),
]
