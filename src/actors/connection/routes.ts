import { Type } from 'typebox'
import { isRefused } from '../../domain/refused.ts'
import type { ConnectionRecord } from './state.ts'
import { limits } from '../../domain/limits.ts'
import { afterwards } from '../ask-question.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { exchangeQuery, listPage, pageOf, pageReply } from '../../http/route/list.ts'
import { problem } from '../../http/route/problem.ts'
import { connectionSchema, connectionView } from './record.ts'
import { exact, externalId, invitationIdText, recordOf, words } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/refusal.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { Api } from '../api.ts'
import { tags } from '../tags.ts'

const refusals = ['organisation_not_ready', 'forbidden'] as const

const invitationBody = exact({
  multiUse: Type.Optional(
    Type.Boolean({
      description: 'Whether many holders may answer it, at a kiosk for example; false unless told.',
      examples: [false],
    }),
  ),
  alias: Type.Optional(
    Type.String({
      maxLength: limits.aliasCharactersMax,
      description: 'Who invites, as the wallet shows it; the name of the organisation unless told.',
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

export const connectionRoutes = (api: Api): readonly Route[] => {
  const view = (tenant: string, connectionId: string) =>
    afterwards(api.read<ConnectionRecord>(tenant, 'con', connectionId), (record) =>
      record === null ? null : connectionView(connectionId, record),
    )
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/connections/invitations',
      operationId: 'createInvitation',
      summary: 'Creates an invitation for one holder or for many',
      description:
        'Show `invitationUrl` to the holder as a link or a QR code. When a wallet answers, a connection comes to be with the `externalId` that is given here, and `connection.state_changed` tells each of its steps up to `completed`.',
      tag: tags.connections,
      access: { callers: TENANT_CALLERS },
      body: invitationBody,
      responses: {
        201: invitationSchema,
      },
      errors: refusals,
      idempotency: {
        newRecordId: () => api.newId.of('inv'),
        showRecord: api.readInvitation,
      },
      handle: async ({ caller, body, recordId }) => {
        const { multiUse = false, alias = null, externalId: external = null } = body
        const order = { tenant: caller.tenantId, id: recordId, multiUse, alias, externalId: external }
        const made = await api.createInvitation(order)
        return isRefused(made) ? refusal(refusals, made) : reply(201, made)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/connections',
      operationId: 'listConnections',
      summary: 'Lists connections, newest first',
      description: '`q` looks in the external id and in what the wallet calls itself.',
      tag: tags.connections,
      access: { callers: TENANT_CALLERS },
      query: Type.Object({ ...exchangeQuery, invitationId: Type.Optional(invitationIdText) }),
      responses: { 200: pageOf(connectionSchema) },
      errors: ['invalid_request'],
      handle: async ({ caller: { tenantId: tenant }, query, head }) => {
        const of = { tenant, kind: 'connection', filters: { invitationId: query.invitationId } } as const
        const page = await listPage(api.directory, of, query, (each) => view(tenant, each))
        return pageReply(head, page)
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/connections/{id}',
      operationId: 'getConnection',
      summary: 'Shows a connection',
      description: 'A connection is ready for offers and proof requests when its state is `completed`.',
      tag: tags.connections,
      access: { callers: TENANT_CALLERS },
      responses: { 200: connectionSchema },
      errors: ['not_found'],
      handle: ({ caller, params }) =>
        afterwards(view(caller.tenantId, params.id), (found) =>
          found === null ? problem('not_found', 'There is no connection with this id.') : reply(200, found),
        ),
    }),
  ]
}
